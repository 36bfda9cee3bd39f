import { contrastOf, designOf, gradientOf, inkOf } from '#contract/card-design.ts';
import type { CardValues } from './CardPage.tsx';

const READABLE = 4.5;

/** The head of the card as it will look, and whether it can be read. */
export function CardPreview({ values, avatar }: { values: CardValues; avatar: string }) {
  const design = designOf(values.designKey, values.design_color_hash);
  const ratio = contrastOf(design);
  return (
    <aside className="card-preview" aria-label="How the card will look">
      <div
        className="card-preview-head"
        data-style={design.style}
        style={{ background: gradientOf(design), color: inkOf(design), fontFamily: design.font }}
      >
        {avatar ? <img src={avatar} alt="" /> : <span className="card-preview-initials">{initialsOf(values.name)}</span>}
        <strong>{values.name || 'Name'}</strong>
        {values.title && <span>{values.title}</span>}
        {values.company && <span>{values.company}</span>}
      </div>
      <dl>
        {(['phone', 'email', 'website'] as const)
          .filter((name) => values[name])
          .map((name) => (
            <div key={name}>
              <dt>{{ phone: 'Call', email: 'E-mail', website: 'Website' }[name]}</dt>
              <dd>{values[name]}</dd>
            </div>
          ))}
      </dl>
      <p className={ratio >= READABLE ? 'muted small' : 'card-preview-warning small'}>
        Contrast of the letters {ratio.toFixed(1)} : 1.{' '}
        {ratio >= READABLE
          ? 'Everybody can read them.'
          : `Below ${READABLE} : 1 many cannot read them: choose a darker or a lighter colour.`}
      </p>
    </aside>
  );
}

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
};
