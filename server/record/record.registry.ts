/** What follows from all models together: which collection holds whose children. */
import { HttpError } from '#server/kit/http-error.ts';
import { recordModels } from './record.models.ts';
import type { RecordModel } from './record-model.ts';

/** The model of the collection `entityKey` of a parent. */
export function childModel(parent: RecordModel, entityKey: string): RecordModel {
  const children = [...recordModels.values()].filter((one) => one.parent?.model === parent.model);
  const child = children.find((one) => one.parent!.entityKey === entityKey);
  if (child) return child;
  const known = children.map((one) => one.parent!.entityKey);
  const hint = known.length > 0 ? `It has ${known.join(', ')}.` : 'It has no children.';
  throw new HttpError(400, 'record_key_unknown', `${parent.label} has no collection "${entityKey}". ${hint}`);
}
