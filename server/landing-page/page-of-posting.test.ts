import { expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { pageOfPosting } from './page-of-posting.ts';

const [tier, other, page] = [newId(), newId(), newId()];
const plan = { landingPages: new Map([[page, { id: page, publisherTierId: tier }]]) };

it('takes the page of the tier out of the fields, however its id is spelled', () => {
  for (const named of [page, ` ${page.toUpperCase()} `])
    expect(pageOfPosting(plan, tier, { email: 'a@b.c', landingPageId: named })).toEqual({ fields: { email: 'a@b.c' }, pageId: page });
});

it.each([other, '', 'x', 7, null, { id: page }])('leaves %j, which names no page, among the fields', (named) => {
  const fields = { email: 'a@b.c', landingPageId: named };
  expect(pageOfPosting(plan, tier, fields)).toEqual({ fields });
});

it('gives no tier the page of another one', () => {
  const fields = { landingPageId: page };
  expect(pageOfPosting(plan, other, fields)).toEqual({ fields });
  expect(pageOfPosting(plan, tier, {})).toEqual({ fields: {} });
});
