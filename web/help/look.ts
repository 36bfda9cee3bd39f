/**
 * How help looks, wherever it stands. `all: initial` ends what the page would pass on, and an important rule of ours about the surface wins
 * over every important rule of the page. Light or dark is what the page declares by `color-scheme`.
 */
export const LOOK = `
:host {
  all: initial !important;
  display: contents !important;
  color-scheme: inherit !important;
  direction: ltr !important;
  unicode-bidi: isolate !important;
}
:host([inline]) { display: block !important; }
*, *::before, *::after { box-sizing: border-box; }
.popover, .modal, .inline {
  --ground: light-dark(#ffffff, #13232d);
  --ink: light-dark(#0d2330, #dce8ed);
  --soft: light-dark(#516773, #9bb1bc);
  --line: light-dark(#c9d6dc, #375060);
  --deep: light-dark(#0b6685, #6cc8e2);
  --tint: light-dark(#e2f1f6, #12384a);
  color: var(--ink);
  background: var(--ground);
  font: 400 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  text-align: start;
  overflow-wrap: anywhere;
}
.popover {
  position: fixed;
  inset: auto;
  z-index: 2147483647;
  width: min(400px, calc(100vw - 16px));
  max-height: min(60vh, 480px);
  margin: 0;
  padding: 14px 44px 14px 16px;
  overflow: auto;
  overscroll-behavior: contain;
  border: 1px solid var(--line);
  border-radius: 10px;
  box-shadow: 0 10px 34px rgb(5 32 47 / 26%);
}
.popover:focus, .modal:focus { outline: none; }
.popover:focus-visible { outline: 2px solid var(--deep); outline-offset: 2px; }
p { margin: 0 0 8px; white-space: pre-line; }
p:last-child { margin-bottom: 0; }
button { font: inherit; color: inherit; cursor: pointer; }
button:focus-visible, .content:focus-visible { outline: 2px solid var(--deep); outline-offset: 1px; }
.content:focus-visible { outline-offset: -3px; }
.close {
  display: grid;
  flex: none;
  place-items: center;
  width: 32px;
  height: 32px;
  padding: 0;
  border: 0;
  border-radius: 7px;
  background: none;
  color: var(--soft);
  font-size: 22px;
  line-height: 1;
}
.close:hover { background: var(--tint); color: var(--ink); }
.popover .close { position: absolute; top: 8px; inset-inline-end: 8px; }
.more {
  display: inline-block;
  min-height: 28px;
  margin-top: 6px;
  padding: 2px 0;
  border: 0;
  background: none;
  color: var(--deep);
  font-weight: 600;
  text-decoration: underline;
  text-underline-offset: 3px;
}
p + .more { margin-top: 0; }
.nothing { color: var(--soft); }
.wait { display: grid; place-items: center; min-height: 44px; }
.wait::before {
  content: '';
  width: 24px;
  height: 24px;
  border: 3px solid var(--line);
  border-top-color: var(--deep);
  border-radius: 50%;
  animation: turn 0.8s linear infinite;
}
@keyframes turn { to { transform: rotate(1turn); } }
.read-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.modal {
  width: min(920px, calc(100vw - 24px));
  max-width: none;
  max-height: calc(100vh - 48px);
  max-height: calc(100dvh - 48px);
  padding: 0;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 14px;
}
.modal[open] { display: flex; flex-direction: column; }
.modal::backdrop { background: rgb(4 20 30 / 68%); }
.head {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  padding: 10px 12px 10px 20px;
  border-bottom: 1px solid var(--line);
}
h2 { margin: 0; color: var(--deep); font-size: 17px; font-weight: 700; letter-spacing: 0.06em; }
h2 span { color: var(--ink); font-weight: 600; letter-spacing: 0; }
h3 { margin: 0 0 4px; color: var(--soft); font-size: 12.5px; font-weight: 650; letter-spacing: 0.03em; }
h4 { margin: 0; font: inherit; }
.content { padding: 16px 20px 20px; overflow: auto; overscroll-behavior: contain; }
.lists.both { display: grid; grid-template-columns: 1fr 1fr; }
.lists.both section:first-child { padding-inline-end: 20px; border-inline-end: 1px dashed var(--line); }
.lists.both section:last-child { padding-inline-start: 20px; }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: 10px 0; border-bottom: 1px dashed var(--line); }
li:last-child { border-bottom: 0; }
.words { display: flex; flex-wrap: wrap; gap: 6px; }
.words b { padding: 1px 8px; border-radius: 6px; background: var(--tint); color: var(--deep); font-weight: 600; font-size: 13px; }
.question {
  display: flex;
  gap: 10px;
  width: 100%;
  min-height: 28px;
  padding: 2px 0;
  border: 0;
  background: none;
  font-weight: 600;
  text-align: start;
}
.question:hover { color: var(--deep); }
.mark {
  display: inline-grid;
  flex: none;
  place-items: center;
  width: 22px;
  height: 22px;
  border: 1px solid var(--line);
  border-radius: 50%;
  color: var(--deep);
  font-size: 12px;
  font-weight: 700;
}
.answer { display: flex; gap: 10px; padding-top: 8px; }
.answer[hidden] { display: none; }
.answer .mark { color: var(--soft); }
.inline h2 { margin-bottom: 10px; }
@media (max-width: 640px) {
  .lists.both { grid-template-columns: 1fr; }
  .lists.both section:first-child { padding: 0 0 14px; margin-bottom: 14px; border-inline-end: 0; border-bottom: 1px dashed var(--line); }
  .lists.both section:last-child { padding: 0; }
  .content { padding: 14px 16px 18px; }
}
@media (prefers-reduced-motion: reduce) {
  .wait::before { animation: none; border-style: dotted; }
}
@media print {
  :host { display: none !important; }
}
`;
