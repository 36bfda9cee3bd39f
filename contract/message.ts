/**
 * The message catalogue (account §8; console §7: POST /ampl/message/toastr-notification): one wording, used by server and
 * screens alike. Keys are the specification's, to the letter.
 */
export const MESSAGES = {
  userLoggedInSuccess: 'You are signed in.',
  userLoggedOutSuccess: 'You are signed out.',
  wrongCredentials: 'The e-mail address or the password is not right.',
  networkFailure: 'Something is wrong, Probably Internet service is offline.',
  scanCode: 'Scan the picture with your authenticator app, then enter the code it shows.',
  enterCode: 'Enter the code that your authenticator app shows.',
  sessionEnded: 'The session has ended.',
  invalidAuthenticationCode: 'Invalid Authentication Code. Please try again.',
  invalidOrganizationDomain: 'Invalid Organization Domain. Please try different domain again.',
  invalidUser: 'Invalid User. Please try again.',
  inactivityLogout: 'You have been logged out due to inactivity',
  futureDate: 'Future date is not allowed.',
  resetPassEmailSent: 'If there is an account for this address, we have sent a link to set a new password. It is good for 30 minutes.',
  resetMfaEmailSent:
    'If there is an account for this address, we have sent a link to reset its two-factor sign-in. It is good for 30 minutes.',
  mfaReset: 'Two-factor sign-in is reset. Sign in with your password to set it up anew.',
  passwordNotMatch: 'The two passwords are not the same.',
  wrongCurrentPassword: 'This is not your current password.',
  passwordLength: 'A password has 8 to 20 characters.',
  passwordCommon: 'This password is on the lists that attackers try first. Choose another.',
  passwordHoldsName: 'A password must not be built from your name, address or organization. Choose another.',
  passworResetSuccess: 'Your new password is set. Sign in with it.',
  passwortokenExpired: 'This link is no longer good. Ask for a new one.',
  passwordChanged: 'Your password is changed. Your other sessions have ended.',
  emailAlreadyTaken: 'There is an account with this address already. Sign in, or use another address.',
  activationEmailSentSuccess: 'We have sent you a mail. Open the link in it to activate your account.',
  userAlreadyActivated: 'user already activated',
  userActivated: 'Your account is active. Sign in.',
  userNotActivated: 'Your account is not active yet. Open the link in the mail we sent you.',
  invitaionAcceptSuccess: 'You have accepted the invitation. Welcome to the team.',
  invitaionAlreadyAccepted: 'This invitation has been accepted already. Sign in.',
  invitaionAlreadyRejected: 'This invitation was rejected. Ask for a new one if you have changed your mind.',
  invitaionDeleted: 'This invitation is no longer there. Ask for a new one.',
  invitaionRejected: 'You have rejected the invitation.',
  invitationSent: 'The invitation is on its way.',
  subDomainTaken: 'This sub-domain is taken. Choose another.',
  subDomainReserved: 'This sub-domain is kept for the product itself. Choose another.',
  subDomainInvalid: 'A sub-domain has 3 to 40 lower-case letters, digits and hyphens, and begins and ends with a letter or digit.',
  saved: 'Saved.',
} as const;

export type MessageKey = keyof typeof MESSAGES;
