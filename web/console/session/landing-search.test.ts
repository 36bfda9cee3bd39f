import { describe, expect, test } from 'vitest';
import { memberToRegister, readLandingSearch } from './landing-search.ts';

describe('account §2: the landing and root parameters', () => {
  test('are read as they come in links', () => {
    expect(readLandingSearch({ isInvitationSuccess: '2', isUser: 'false', teamId: 'abc' })).toEqual({
      isInvitationSuccess: 2,
      isUser: false,
      teamId: 'abc',
    });
    expect(readLandingSearch({ isOpenLoginModal: 'true', email: 'a@b.co' })).toEqual({ isOpenLoginModal: true, email: 'a@b.co' });
    expect(readLandingSearch({ isAutoLogin: '1', userSessionId: 't', orgId: 'o' })).toEqual({
      isAutoLogin: true,
      userSessionId: 't',
      orgId: 'o',
    });
  });
  test('what is not ours falls away', () => {
    const raw = { isInvitationSuccess: '5', next: '//evil.example', email: 7, more: 'x', isOpenLoginModal: '0' };
    const read = readLandingSearch(raw);
    expect(read).toEqual({});
    // As the router does it: what is left unanswered would come back.
    expect({ ...raw, ...read }).toEqual({ more: 'x' });
  });
  test('isInvitationSuccess 2 without an account leads to registering the member, all else does not', () => {
    expect(memberToRegister({ isInvitationSuccess: 2, isUser: false, teamId: 't' })).toBe('t');
    expect(memberToRegister({ isInvitationSuccess: 2, isUser: true, teamId: 't' })).toBeUndefined();
    expect(memberToRegister({ isInvitationSuccess: 2, teamId: 't' })).toBeUndefined();
    expect(memberToRegister({ isInvitationSuccess: 1, isUser: false, teamId: 't' })).toBeUndefined();
  });
});
