/** The glossary and the questions, as the modal and an inline place show them (console §2). */
import type { MoreDataAnswer } from '#contract/help.ts';
import { askMore } from './ask.ts';
import { make, paragraphs, spinner } from './make.ts';

type Data = MoreDataAnswer['data'];

let lastId = 0;

/** Fills `place` once the answer is here: with both lists beside each other, one of them, or "No Data Found." */
export async function fillLists(place: HTMLElement, tagString: string | Promise<string>, projectId?: string): Promise<void> {
  place.setAttribute('aria-busy', 'true');
  place.replaceChildren(spinner());
  const answer = await askMore(await tagString, projectId);
  place.removeAttribute('aria-busy');
  place.replaceChildren(...(answer ? listsOf(answer.data) : [make('p', { class: 'nothing', role: 'status' }, 'No Data Found.')]));
}

function listsOf({ glossaries, faqs }: Data): HTMLElement[] {
  const lists: HTMLElement[] = [];
  if (glossaries.length > 0) lists.push(make('section', {}, make('h3', {}, 'Glossary'), make('ul', {}, ...glossaries.map(term))));
  if (faqs.length > 0) lists.push(make('section', {}, make('h3', {}, 'Questions and answers'), make('ul', {}, ...faqs.map(question))));
  return [make('div', { class: lists.length > 1 ? 'lists both' : 'lists' }, ...lists)];
}

/** The definition, followed by its words. */
const term = ({ definition, data }: Data['glossaries'][number]): HTMLElement =>
  make('li', {}, ...paragraphs(definition), make('p', { class: 'words' }, ...data.map(({ word }) => make('b', {}, word))));

/** A click on the question reveals its answer, or hides it. */
function question({ question: asked, answer }: Data['faqs'][number]): HTMLElement {
  lastId += 1;
  const shown = make('div', { class: 'answer', id: `answer-${lastId}`, hidden: true }, mark('A'), make('div', {}, ...paragraphs(answer)));
  const toggle = () => {
    shown.hidden = !shown.hidden;
    button.setAttribute('aria-expanded', String(!shown.hidden));
  };
  const button = make(
    'button',
    { type: 'button', class: 'question', 'aria-expanded': 'false', 'aria-controls': `answer-${lastId}`, toggle },
    mark('Q'),
    make('span', {}, asked),
  );
  return make('li', {}, make('h4', {}, button), shown);
}

const mark = (letter: string): HTMLElement => make('span', { class: 'mark', 'aria-hidden': 'true' }, letter);
