import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListBody } from '#contract/record.ts';
import { postJson } from './client.ts';

/** A record of any model, under the field names of its declaration on the server. */
export interface RecordRow {
  _id: string;
  version?: number;
  status?: string;
  [field: string]: unknown;
}

export interface ListAnswer<Row = RecordRow> {
  data: Row[];
  total: number;
}

const C = '/api/v1/common';

export const listRecords = <Row = RecordRow>(listing: ListBody) => postJson<ListAnswer<Row>>(`${C}/get/condition-data`, listing);

export const recordsQuery = <Row = RecordRow>(listing: ListBody) =>
  queryOptions({
    queryKey: ['records', listing.model, listing],
    queryFn: () => listRecords<Row>(listing),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  });

export const recordQuery = (model: string, id: string) =>
  queryOptions<RecordRow>({
    queryKey: ['records', model, 'one', id],
    queryFn: async () => (await postJson<{ data: RecordRow }>(`${C}/single-data`, { model, condition: { _id: id } })).data,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

export interface Saved<Row = RecordRow> {
  msg: string;
  data: Row;
}
export const addRecord = <Row = RecordRow>(model: string, data: object) => postJson<Saved<Row>>(`${C}/post-add-data`, { model, ...data });
export const editRecord = <Row = RecordRow>(model: string, _id: string, data: object, version?: number) =>
  postJson<Saved<Row>>(`${C}/post-edit-data`, { model, _id, ...(version !== undefined && { version }), ...data });
export const removeRecord = (model: string, _id: string) => postJson<Saved>(`${C}/post-delete-data`, { model, _id });
/** A deleted record comes back, with its id and at its place. */
export const bringBack = (model: string, _id: string) => postJson<Saved>(`${C}/post-add-data`, { model, _id });
/** Whether a value is free; `condition` holds it, what it must be unique within, and the record that may keep it. */
export const askUnique = (model: string, condition: Record<string, string>, signal?: AbortSignal) =>
  postJson<{ isUnique: boolean; msg: string }>(`${C}/get/unique-name`, { model, condition }, signal);
/** `seen`: the order that was moved in; where it is another one by now, the server refuses. */
export const orderRecords = (model: string, ids: string[], seen: string[]) =>
  postJson<{ msg: string }>('/api/common/order-change', { model, data: ids, seen });
