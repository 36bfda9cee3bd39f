import { useQuery } from '@tanstack/react-query';
import type { CompareKind } from '#contract/report.ts';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { IconArrowsExchange } from '#web/ui/icons.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { leadChoices } from '../api/choices.ts';
import { leadFiltersQuery, type Place } from '../api/lead.ts';
import { verticalsOf } from '../api/session.ts';
import { useSetup } from '../shell/use-place.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { DIMENSIONS } from './report-names.ts';
import { compareKinds, type ReportSearch } from './report-search.ts';

interface CompareChoiceProps {
  place: Place;
  kind: CompareKind;
  search: ReportSearch;
  change: (part: ReportSearch) => void;
}

export const kindLabel = (kind: CompareKind): string => (kind === 'span' ? 'Span' : DIMENSIONS[kind]!.label);
/** In a sentence: "Choose two publisher tiers". */
export const kindsText = (kind: CompareKind): string =>
  DIMENSIONS[kind]?.many.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) ?? 'spans';

/** What two of are compared, and which two. */
export function CompareChoice({ place, kind, search, change }: CompareChoiceProps) {
  const { a, b } = search;
  return (
    <>
      <ChoiceRow
        label="Two of"
        options={compareKinds.map((value) => ({ value, label: kindLabel(value) }))}
        value={kind}
        onChoose={(value) =>
          change({
            ...{ of: compareKinds.find((one) => one === value), a: undefined, b: undefined },
            ...{ bPeriod: undefined, bFrom: undefined, bTo: undefined },
          })
        }
      />
      <search className="compare-choice no-print" aria-label="What is compared">
        {kind === 'span' ? (
          <PeriodChip
            name="Compared with"
            presets={spans}
            value={{ period: search.bPeriod, from: search.bFrom, to: search.bTo }}
            onChange={({ period, from, to }) => change({ of: kind, bPeriod: period, bFrom: from, bTo: to })}
          />
        ) : (
          <>
            <SideChip name={`First ${kindLabel(kind).toLowerCase()}`} side="a" {...{ place, kind, search, change }} />
            <SideChip name={`Second ${kindLabel(kind).toLowerCase()}`} side="b" {...{ place, kind, search, change }} />
            {a !== undefined && b !== undefined && (
              <button type="button" className="tool-button" onClick={() => change({ a: b, b: a })}>
                <IconArrowsExchange size={15} aria-hidden /> Swap
              </button>
            )}
          </>
        )}
      </search>
    </>
  );
}

function SideChip({ name, side, place, kind, search, change }: CompareChoiceProps & { name: string; side: 'a' | 'b' }) {
  const { places } = useSetup();
  const { data: filters } = useQuery(leadFiltersQuery(place));
  const value = search[side];
  const choose = (next: string | undefined) => change({ of: kind, [side]: next });
  const emptyText = `No ${kindsText(kind)} found.`;
  switch (kind) {
    case 'span':
      return null;
    case 'subId':
      return (
        <ExactSearch
          key={value ?? ''}
          value={value ?? ''}
          label={name}
          placeholder={`${name}, then Enter`}
          className="compare-sub-id"
          onSearch={(text) => choose(text || undefined)}
        />
      );
    case 'state':
      return <FilterChip name={name} options={filters?.states ?? []} value={value} emptyText={emptyText} onChange={choose} />;
    case 'reason':
      return <FilterChip name={name} options={filters?.reasons ?? []} value={value} emptyText={emptyText} onChange={choose} />;
    case 'region': {
      const options = places.regions.map((one) => ({ value: one.slug, label: one.name }));
      return <FilterChip name={name} options={options} value={value} emptyText={emptyText} onChange={choose} />;
    }
    case 'vertical': {
      const options = verticalsOf(places, place.region).map((one) => ({ value: one.slug, label: one.name }));
      return <FilterChip name={name} options={options} value={value} emptyText={emptyText} onChange={choose} />;
    }
    default:
      return <ChoiceChip key={kind} name={name} source={leadChoices(place, kind)} value={value} emptyText={emptyText} onChange={choose} />;
  }
}
