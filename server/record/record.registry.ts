/** What follows from all models together: which collection holds whose children, and how they are described to people. */
import { HttpError } from '#server/kit/http-error.ts';
import { recordModels } from './record.models.ts';
import { kindOf, type RecordModel } from './record-model.ts';

/** The model of the collection `entityKey` of a parent. */
export function childModel(parent: RecordModel, entityKey: string): RecordModel {
  const children = [...recordModels.values()].filter((one) => one.parent?.model === parent.model);
  const child = children.find((one) => one.parent!.entityKey === entityKey);
  if (child) return child;
  const known = children.map((one) => one.parent!.entityKey);
  const hint = known.length > 0 ? `It has ${known.join(', ')}.` : 'It has no children.';
  throw new HttpError(400, 'record_key_unknown', `${parent.label} has no collection "${entityKey}". ${hint}`);
}

/** For the API's documentation: every model with its fields, made from the declarations themselves. */
export function describeModels(): string {
  const lines = [...recordModels.values()].map((model) => {
    const fields = Object.entries(model.fields).map(([name, field]) => {
      const marks = [
        field.required && 'required',
        field.fixed && 'fixed',
        !field.write && 'read only',
        kindOf(field) !== 'text' && kindOf(field),
      ];
      const said = marks.filter(Boolean).join(', ');
      return said ? `${name} (${said})` : name;
    });
    return `- **${model.model}**${model.parent ? `, ${model.parent.entityKey} of ${model.parent.model}` : ''}: ${fields.join(', ')}`;
  });
  return `Models and their fields:\n\n${lines.join('\n')}`;
}
