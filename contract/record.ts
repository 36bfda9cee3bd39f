/** The generic data calls (account §7): what is read and changed by the name of a model. */
import { z } from 'zod';

const modelName = z.string().min(1).max(60);
export const getDataBody = z.strictObject({ model: modelName, _id: z.string().max(60).optional() });
export const dataRecord = z.record(z.string(), z.unknown());
export const getDataAnswer = z.object({ status: z.literal(true), data: z.array(dataRecord) });

export const updateBody = z.strictObject({ model: modelName, _id: z.string().max(60), data: z.record(z.string().max(60), z.unknown()) });
export const updateAnswer = z.object({ status: z.literal(true), msg: z.string(), data: dataRecord });
