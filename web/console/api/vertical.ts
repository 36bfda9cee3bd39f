import { postJson } from './client.ts';

export interface NewVertical {
  regionId: string;
  name: string;
  slug: string;
  primaryField: string;
}

/** A generic data call (console §7). */
export const addVertical = (vertical: NewVertical) => postJson<unknown>('/api/v1/common/post-add-data', { model: 'vertical', ...vertical });
