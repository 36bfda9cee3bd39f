import { CopyButton } from '#web/ui/CopyButton.tsx';
import type { RecordRow } from '../api/record.ts';

/** Where the card and its lander stand for everybody, and what happened there. */
export function CardAddress({ row }: { row: RecordRow }) {
  const pages = [
    { label: 'Card', path: `/drawcard/card/${row._id}`, isOn: true },
    { label: 'Lander', path: `/drawcard/lander/${row._id}`, isOn: row.hasLander === true },
  ];
  const figures = [
    ['Card seen', row.cardViews],
    ['Lander seen', row.landerViews],
    ['Sent', row.submissions],
    ['Sold', row.sold],
  ] as const;
  return (
    <section className="card-public" aria-label="Public addresses">
      <ul>
        {pages
          .filter(({ isOn }) => isOn)
          .map(({ label, path }) => (
            <li key={path}>
              <span className="muted">{label}</span>{' '}
              <a href={path} target="_blank" rel="noopener" className="link">
                {`${location.host}${path}`}
              </a>
              <CopyButton text={`${location.origin}${path}`} label={`Copy the address of the ${label.toLowerCase()}`} />
            </li>
          ))}
      </ul>
      <dl>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{Number(value).toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small">In the last 30 days.</p>
    </section>
  );
}
