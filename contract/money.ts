import { z } from 'zod';

/** Money on the wire: a decimal string with 2 to 4 fraction digits, e.g. "12.50"; never a float. */
export const moneyText = z.string().regex(/^-?\d{1,9}\.\d{2,4}$/);
/** What many amounts come to: a lead sold several times, a day, a balance. */
export const sumText = z.string().regex(/^-?\d{1,20}\.\d{2,4}$/);
