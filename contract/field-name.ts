/** What a field of a vertical may be called. */

/** Names that every object of a program has by itself ("constructor", "toString"): whoever reads leads as JSON could not tell such a field from them. */
const OF_EVERY_OBJECT = new Set(Object.getOwnPropertyNames(Object.prototype));

export const isFreeFieldName = (fieldName: string): boolean => !OF_EVERY_OBJECT.has(fieldName);

/** The value of a field; undefined where it was not given, whatever the field is called. */
export const ownValue = <Value>(values: Readonly<Record<string, Value>>, fieldName: string): Value | undefined =>
  Object.hasOwn(values, fieldName) ? values[fieldName] : undefined;
