/** An object that holds what is in it and nothing else: a field called "constructor" that no lead gives is not there. One that is so already comes back. */
export const bare = <Value>(named: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.getPrototypeOf(named) === null ? named : bareCopy(named);

export const bareCopy = <Value>(named: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.assign(Object.create(null) as Record<string, Value>, named);
