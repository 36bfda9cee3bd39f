// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest';
import { createHashbangHistory, fromBrowser, toBrowserHref } from './hashbang.ts';

const at = (address: string) => fromBrowser(new URL(address, 'https://acme.example'));

describe('addresses', () => {
  test.each([
    ['/#!/setup/us/payday/leads?status=sold', '/setup/us/payday/leads?status=sold'],
    ['/#!setup/us', '/setup/us'],
    ['/login?next=%2Fsetup%2Fus', '/login?next=%2Fsetup%2Fus'],
    ['/login#!/setup/us/payday/overview', '/setup/us/payday/overview'],
    ['/#_=_', '/'],
    ['/login#_=_', '/login'],
    ['/', '/'],
  ])('%s means %s', (address, path) => {
    expect(at(address)).toBe(path);
  });
  test('sign-in keeps a plain path, the console lives behind #!', () => {
    expect(toBrowserHref('/login?next=%2F')).toBe('/login?next=%2F');
    expect(toBrowserHref('/setup/us/payday/overview')).toBe('/#!/setup/us/payday/overview');
    expect(toBrowserHref('/loginhelp')).toBe('/#!/loginhelp');
  });
});

describe('history', () => {
  afterEach(() => window.history.replaceState(null, '', '/'));
  test('what a social sign-in leaves behind is gone from the address', () => {
    window.history.replaceState(null, '', '/#_=_');
    const history = createHashbangHistory();
    expect(history.location.pathname).toBe('/');
    expect(window.location.hash).toBe('');
    history.destroy();
  });
  test('pushing a path writes #! and reads it back with its search', () => {
    const history = createHashbangHistory();
    history.push('/setup/us/payday/leads?q=1e5');
    history.flush();
    expect(window.location.hash).toBe('#!/setup/us/payday/leads?q=1e5');
    expect(history.location.pathname).toBe('/setup/us/payday/leads');
    expect(history.location.search).toBe('?q=1e5');
    history.destroy();
  });
});
