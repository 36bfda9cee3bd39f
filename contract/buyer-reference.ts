/** A buyer's own id of a lead: kept as it answered it, the first so many characters of it. */
import { z } from 'zod';
import { storable } from './storable.ts';

const KEPT = 200;
/** Nobody's id is longer than an address may be. */
const LONGEST = 2_000;

/** As it is kept, and so as it is looked for: PostgreSQL keeps neither NUL nor half a surrogate pair. */
export const keptReference = (text: string): string => text.replaceAll('\0', '').slice(0, KEPT).toWellFormed();

/** One that a buyer names: a long one in full, as it answered it, or as we keep it. */
export const buyerReference = storable(z.string().max(LONGEST)).transform(keptReference);
