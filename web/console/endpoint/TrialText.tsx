/** What was sent or came back, to the letter; a long one scrolls, and so must be reachable by keyboard. */
export function TrialText({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="trial-text" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
