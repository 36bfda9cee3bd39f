import { queryOptions } from '@tanstack/react-query';
import type { AccountAnswer, AccountKind, StatementAnswer } from '#contract/ledger.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { getJson, postJson } from './client.ts';

export interface Account {
  partyKind: AccountKind;
  partyId: string;
}

const key = 'ledger';

export const accountQuery = (account: Account) =>
  queryOptions({
    queryKey: [key, account, 'account'],
    queryFn: ({ signal }) => getJson<AccountAnswer>(`/api/console/ledger/account?${new URLSearchParams({ ...account })}`, signal),
    // Leads are sold all the time, and the buyer's own form says how much it may owe.
    staleTime: 0,
  });

export const statementQuery = (account: Account, month: string, timeZone: TimeZone) =>
  queryOptions({
    queryKey: [key, account, 'statement', month, timeZone],
    queryFn: ({ signal }) =>
      getJson<StatementAnswer>(`/api/console/ledger/statement?${new URLSearchParams({ ...account, month, timeZone })}`, signal),
    staleTime: 5_000,
  });

/** All that stands in the books, of whomever. */
export const ledgerKey = [key];

export interface NewEntry extends Account {
  /** Of what is meant once, however often it is sent. */
  key: string;
  kind: 'payment' | 'adjustment';
  amount: string;
  note: string;
}
export const addEntry = (entry: NewEntry) => postJson<AccountAnswer & { msg: string }>('/api/console/ledger/entries', entry);
