import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { pageCatalogue } from '#contract/page.ts';
import type { TeamAnswer } from '#contract/team.ts';
import { ALL_PAGES, readTicks, setTicks, type Ticks, tickState } from './tick-tree.ts';

interface Props {
  team: TeamAnswer;
  /** Nobody copies from themselves. */
  memberId?: string | undefined;
  ticks: Ticks;
  onChange: (ticks: Ticks) => void;
}

/** Pages that open more than their name says. */
const OPENS_LEADS = ['leadFlow-Inbound', 'leadFlow-Outbound', 'serverLogs'];

function noteOf(page: (typeof pageCatalogue)[number]): string | undefined {
  return OPENS_LEADS.includes(page.value) ? 'with the list of leads and each lead' : undefined;
}

/** Regions, their verticals, the pages of each (account §6; console §3). */
export function TickTree({ team, memberId, ticks, onChange }: Props) {
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(team.verticals.length === 1 ? [team.verticals[0]!._id] : []));
  const keepOpen = (id: string, isOpen: boolean) =>
    setOpened((before) => new Set(isOpen ? [...before, id] : [...before].filter((one) => one !== id)));
  const wanted = search.trim().toLowerCase();
  const pages = pageCatalogue.filter((page) => [page.label, page.value, noteOf(page)].some((text) => text?.toLowerCase().includes(wanted)));
  const values = wanted ? pages.map((page) => page.value) : ALL_PAGES;
  const others = team.members.filter((one) => one._id !== memberId && one.role === 'member');
  const all = team.verticals.map((one) => one._id);
  const box = (label: string, ids: readonly string[]) => {
    const state = tickState(ticks, ids, values);
    return (
      <Checkbox
        label={label}
        checked={state === 'all'}
        indeterminate={state === 'some'}
        disabled={ids.length === 0 || values.length === 0}
        onChange={() => onChange(setTicks(ticks, ids, values, state !== 'all'))}
      />
    );
  };
  if (all.length === 0)
    return <p className="form-note">There is no vertical to give access to yet. Permissions can be ticked once the first one stands.</p>;
  return (
    <div>
      <div className="tree-tools">
        <TextInput label="Search pages" value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
        <Select
          label="Copy from"
          placeholder={others.length === 0 ? 'No other member' : 'Another member'}
          disabled={others.length === 0}
          data={others.map((one) => ({ value: one._id, label: `${one.first_name} ${one.last_name}`.trim() || one.email }))}
          value={null}
          onChange={(id) => id && onChange(readTicks(team.members.find((one) => one._id === id)?.permissions ?? []))}
        />
      </div>
      <section className="tree" aria-label="Permissions">
        {pages.length === 0 && <p role="status">No page matches {search.trim()}.</p>}
        {box(wanted ? 'All pages found' : 'Everything', all)}
        {team.regions.map((region) => {
          const verticals = team.verticals.filter((one) => one.regionId === region._id);
          return (
            <div key={region._id} className="tree-region">
              <div className="tree-vertical">
                {box(
                  region.name,
                  verticals.map((one) => one._id),
                )}
                {verticals.map((vertical) => (
                  <div key={vertical._id} className="tree-vertical" style={{ marginLeft: 26, marginTop: 8 }}>
                    {box(`${region.name}: ${vertical.name}`, [vertical._id])}
                    <details
                      open={wanted !== '' || opened.has(vertical._id)}
                      // What a search opens is not what somebody opened: it closes again with it.
                      onToggle={(event) => wanted === '' && keepOpen(vertical._id, event.currentTarget.open)}
                    >
                      <summary>{ticks.get(vertical._id)?.size ?? 0} of 25 pages</summary>
                      <div className="tree-pages">
                        {pages.map((page) => (
                          <Checkbox
                            key={page.value}
                            size="xs"
                            label={page.label}
                            description={noteOf(page)}
                            checked={ticks.get(vertical._id)?.has(page.value) ?? false}
                            onChange={(event) => onChange(setTicks(ticks, [vertical._id], [page.value], event.currentTarget.checked))}
                          />
                        ))}
                      </div>
                    </details>
                  </div>
                ))}
              </div>
            </div>
          );
        })}
      </section>
    </div>
  );
}
