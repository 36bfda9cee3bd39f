/** The tab that a page of the set-up stands under where its address does not tell: a tier stands below whom it is of. */
export const setUpArea = (pathname: string, { of }: { of?: string | undefined }): 'Publishers' | 'Buyers' | undefined =>
  /\/tier\/(add|edit)(\/|$)/.test(pathname) ? (of === 'publisher' ? 'Publishers' : 'Buyers') : undefined;
