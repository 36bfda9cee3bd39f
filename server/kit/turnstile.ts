/** Long work that one person may have running a few times, and one node not many times. */
export interface Turnstile {
  /** Takes a place for `who`; undefined when none is free. Call what it returns to give it back; once is enough, more does no harm. */
  enter(who: string): (() => void) | undefined;
}

export function openTurnstile(perPerson: number, inAll: number): Turnstile {
  const inside = new Map<string, number>();
  let all = 0;
  return {
    enter(who) {
      const own = inside.get(who) ?? 0;
      if (own >= perPerson || all >= inAll) return undefined;
      inside.set(who, own + 1);
      all += 1;
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        all -= 1;
        const left = (inside.get(who) ?? 1) - 1;
        if (left > 0) inside.set(who, left);
        else inside.delete(who);
      };
    },
  };
}
