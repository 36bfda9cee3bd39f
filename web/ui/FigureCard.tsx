import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconArrowDownRight, IconArrowUpRight } from './icons.ts';
import './figure-card.css';

export interface Change {
  /** What the eye reads, e.g. "12.4%" or "1.2 points". */
  text: string;
  direction: 'up' | 'down' | 'same';
  /** Whether this direction is good news; payout going up is neither. */
  feeling: 'good' | 'bad' | 'neutral';
}

interface FigureCardProps {
  label: string;
  value: string;
  /** Shown on hover where the value is rounded. */
  exact?: string;
  change: Change | null;
  /** The same figure yesterday by this time of day. */
  before: string;
  /** A button that says what is counted in it; from outside, since the overview has none and is what loads first. */
  how?: ReactNode;
}

export function FigureCard({ label, value, exact, change, before, how }: FigureCardProps) {
  return (
    <div className="card figure-card">
      <dt>
        {label}
        {how}
      </dt>
      <dd className="figure-value tabular" title={exact === value ? undefined : exact}>
        {value}
      </dd>
      <dd className="figure-foot">{change ? <ChangeText change={change} /> : <span className="muted">–</span>}</dd>
      <dd className="figure-foot muted tabular">was {before}</dd>
    </div>
  );
}

function ChangeText({ change: { text, direction, feeling } }: { change: Change }) {
  if (direction === 'same') return <span className="muted figure-change">no change</span>;
  const Arrow = direction === 'up' ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className={`figure-change ${feeling === 'neutral' ? '' : feeling}`}>
      <Arrow size={15} aria-hidden />
      <span className="sr-only">{direction === 'up' ? 'up' : 'down'} </span>
      {text}
    </span>
  );
}

export function FigureCardSkeleton({ label }: { label: string }) {
  return (
    <div className="card figure-card">
      <dt>{label}</dt>
      <dd className="figure-value">
        <Skeleton height={24} width="62%" my={4} />
      </dd>
      <dd className="figure-foot">
        <Skeleton height={14} width="50%" my={3} />
      </dd>
      <dd className="figure-foot">
        <Skeleton height={14} width="75%" my={3} />
      </dd>
    </div>
  );
}
