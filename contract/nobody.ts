import type { SessionView } from './session.ts';

/** The session of somebody who is not signed in. */
export const NOBODY: SessionView = {
  status: false,
  user: null,
  organization: null,
  organizations: [],
  permissionObj: null,
  verticalPrimaryField: null,
  downloadFileUrl: '',
  helpHost: null,
};
