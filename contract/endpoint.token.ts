/** Token calls as legs of their own, so that they are built, sent and read like any other. */
import type { LegAuth, LegConfig, TokenCall } from './endpoint.ts';

/** The capture that holds a fetched token. */
export const TOKEN_CAPTURE = 'access_token';

/** The call to make first, if the authentication needs one. */
export function tokenLegOf(auth: LegAuth | undefined): LegConfig | undefined {
  if (auth?.kind === 'oauth2') return legOf(clientCredentials(auth));
  return auth?.kind === 'tokenCall' ? legOf(auth.call) : undefined;
}

function legOf({ token, expiry, ...call }: TokenCall): LegConfig {
  const response = { outcomes: [], captures: { [TOKEN_CAPTURE]: { at: token } }, ...(expiry ? { expiry } : {}) };
  return { ...call, response };
}

/** RFC 6749 §4.4.2 and §5.1; the client id and secret are form-encoded inside basic authentication only by strict servers, so they are not. */
function clientCredentials(auth: Extract<LegAuth, { kind: 'oauth2' }>): TokenCall {
  const inBody = auth.credentials === 'body';
  const constant = (to: string, value: string) => ({ to, from: { kind: 'constant' as const, value } });
  const credentials = [constant('client_id', auth.clientId), { to: 'client_secret', from: { kind: 'secret' as const, name: auth.secret } }];
  return {
    url: auth.tokenUrl,
    method: 'POST',
    ...(inBody ? {} : { auth: { kind: 'basic', username: auth.clientId, secret: auth.secret } }),
    body: {
      format: 'form',
      mapping: [
        constant('grant_type', 'client_credentials'),
        ...(auth.scope ? [constant('scope', auth.scope)] : []),
        ...(inBody ? credentials : []),
      ],
    },
    token: [{ path: 'access_token' }],
    expiry: { at: [{ path: 'expires_in' }], unit: 'seconds' },
  };
}
