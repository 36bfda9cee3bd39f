import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { KeyView } from '#contract/key.ts';
import type { PortalAnswer, PortalTier } from '#contract/portal.ts';
import { IconFileText, IconSettings } from '#web/ui/icons.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { postingSpecPath } from '../api/portal.ts';
import { AskDialog, type Asked } from './AskDialog.tsx';
import { CapBar } from './CapBars.tsx';
import { sayHours, sayPauses } from './request-words.ts';

/** What the company is set to, with the way to ask for something else. */
export function PortalTerms({ portal }: { portal: PortalAnswer }) {
  const [asking, setAsking] = useState<Asked | null>(null);
  const { kind, tiers, contacts, company } = portal;
  return (
    <>
      {kind === 'buyer' && (
        <section className="card" aria-label="All tiers together">
          <Head title="All tiers together" onAsk={() => setAsking({ model: 'buyer', record: portal })} name="the caps of all tiers" />
          <dl className="card-body portal-facts">
            <Fact label="Caps">{portal.capUse.length === 0 ? 'No cap' : <Caps of={portal} />}</Fact>
            <Fact label="Return keys">
              <Keys keys={portal.returnKeys} none="None. The organization makes one for your program." />
            </Fact>
          </dl>
        </section>
      )}
      {tiers.length === 0 && (
        <div className="card">
          <EmptyState title="You have no tier yet.">{`${portal.organizationName} sets one up for you.`}</EmptyState>
        </div>
      )}
      {tiers.map((tier) => (
        <section key={tier._id} className="card" aria-label={tier.name}>
          <Head
            title={tier.name}
            says={tier.placeName}
            isPaused={tier.status === 'paused'}
            name={tier.name}
            onAsk={() => setAsking({ model: kind === 'buyer' ? 'buyerTier' : 'publisherTier', record: tier })}
          >
            {kind === 'publisher' && (
              <a className="tool-button" href={postingSpecPath(tier._id)} target="_blank" rel="noreferrer">
                <IconFileText size={15} aria-hidden /> Posting specification
              </a>
            )}
          </Head>
          <TierFacts kind={kind} tier={tier} />
        </section>
      ))}
      <section className="card" aria-label="Contacts">
        <header>
          <h2>Contacts</h2>
        </header>
        {contacts.length === 0 ? (
          <EmptyState title="No contacts.">{`${portal.organizationName} keeps none of ${company.name}.`}</EmptyState>
        ) : (
          <ul className="portal-contacts">
            {contacts.map((contact) => {
              const name = `${contact.firstName} ${contact.lastName}`.trim();
              return (
                <li key={contact._id}>
                  <span>
                    <strong>{name}</strong>
                    <span className="muted small">{[contact.job, contact.email, contact.phone].filter(Boolean).join(' · ')}</span>
                  </span>
                  <AskButton name={name} onAsk={() => setAsking({ model: 'contact', record: contact })} />
                </li>
              );
            })}
          </ul>
        )}
      </section>
      {asking && <AskDialog asked={asking} organizationName={portal.organizationName} onClose={() => setAsking(null)} />}
    </>
  );
}

interface HeadProps {
  title: string;
  says?: string;
  isPaused?: boolean;
  /** Of what is asked about. */
  name: string;
  onAsk: () => void;
  children?: ReactNode;
}

function Head({ title, says, isPaused, name, onAsk, children }: HeadProps) {
  return (
    <header className="portal-head">
      <h2>{title}</h2>
      {says && <span className="muted small">{says}</span>}
      {isPaused && <span className="pill info">Paused</span>}
      <span className="row push">
        {children}
        <AskButton name={name} onAsk={onAsk} />
      </span>
    </header>
  );
}

const AskButton = ({ name, onAsk }: { name: string; onAsk: () => void }) => (
  <Button size="xs" variant="default" leftSection={<IconSettings size={15} aria-hidden />} onClick={onAsk}>
    Ask for a change<span className="sr-only"> of {name}</span>
  </Button>
);

function TierFacts({ kind, tier }: { kind: PortalAnswer['kind']; tier: PortalTier }) {
  return (
    <dl className="card-body portal-facts">
      {tier.price !== null && (
        <Fact label="Price">
          <MoneyText amount={tier.price} exact />
        </Fact>
      )}
      <Fact label="Caps">{tier.capUse.length === 0 ? 'No cap' : <Caps of={tier} />}</Fact>
      {kind === 'buyer' && <Fact label="Hours">{sayHours(tier.hours)}</Fact>}
      <Fact label="Pause days">{sayPauses(tier.pauseDates)}</Fact>
      {tier.returnDays !== null && (
        <Fact label="Returns">
          {`within ${tier.returnDays} ${tier.returnDays === 1 ? 'day' : 'days'}, ${tier.returnsAtOnce ? 'at once' : 'once they are approved'}`}
        </Fact>
      )}
      {kind === 'publisher' && (
        <>
          <Fact label="Sub id">{tier.subId || 'None'}</Fact>
          <Fact label="May post from">{tier.ipAllow.length === 0 ? 'Any address' : tier.ipAllow.join(', ')}</Fact>
          <Fact label="Posting keys">
            <Keys keys={tier.keys} none="None. Ask for one." />
          </Fact>
        </>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Caps = ({ of }: { of: Pick<PortalTier, 'capUse'> }) => (
  <ul className="cap-list">
    {of.capUse.map((cap) => (
      <CapBar key={cap.measure + cap.period + cap.timeZone} cap={cap} />
    ))}
  </ul>
);

function Keys({ keys, none }: { keys: readonly KeyView[]; none: string }) {
  if (keys.length === 0) return <span className="muted">{none}</span>;
  return keys.map(({ _id, prefix }) => (
    <span key={_id} className="mono small portal-key">
      {prefix}…
    </span>
  ));
}
