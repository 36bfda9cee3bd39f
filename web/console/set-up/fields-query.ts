import { recordsQuery } from '../api/record.ts';
import type { FieldRow } from './rules/filter-words.ts';

/** The fields of a vertical, in their order. */
export const fieldsQuery = (verticalId: string) => recordsQuery<FieldRow>({ model: 'field', condition: { verticalId }, limit: 1000 });
