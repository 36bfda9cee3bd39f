/** Banks by routing number or sort code, each with its move. */
import { z } from 'zod';
import { readFieldValue } from '#engine/field-value.ts';
import { refused } from '#server/record/record-condition.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { lineOf, notes, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayManageBanks } from '#server/suppression/suppression.policy.ts';

export const moveNumber = z.int().min(1).max(4);

export const bank: RecordModel = {
  model: 'bank',
  label: 'Bank',
  table: 'bank',
  organizationColumn: 'organization_id',
  fields: {
    country: { column: 'country', write: z.enum(['us', 'uk']), required: true, fixed: true },
    code: { column: 'code', write: z.string().max(20), required: true, fixed: true, store: (code: string) => code.replace(/[\s-]/g, '') },
    name: { column: 'name', write: lineOf(120), required: true },
    move: { column: 'move', kind: 'number', write: moveNumber },
    notes,
    version,
    updatedAt,
  },
  mayRead: mayManageBanks,
  mayWrite: mayManageBanks,
  mayAdd: mayManageBanks,
  removal: 'delete',
  search: ['name', 'code', 'notes'],
  nameOf: (row) => `${row.name} (${row.code})`,
  uniqueNames: [{ field: 'code', within: 'country', key: 'bank_organization_id_country_code_key' }],
  unique: {
    bank_organization_id_country_code_key: { field: 'code', code: 'bank_code_taken', message: 'There is a bank with this number.' },
  },
  begin: async (_tx, _person, data) => {
    const country = data.country as 'us' | 'uk';
    if (readFieldValue({ type: 'routing' }, country, String(data.code)) === undefined)
      throw refused('code', 'bank_code_invalid', country === 'us' ? ROUTING_PROBLEM : SORT_CODE_PROBLEM);
    return {};
  },
  logged: true,
};

export const ROUTING_PROBLEM = 'must be a routing number: nine digits, the last of which checks the others';
export const SORT_CODE_PROBLEM = 'must be a sort code: six digits';
