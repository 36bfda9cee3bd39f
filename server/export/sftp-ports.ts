/** The usual ports of SFTP servers; others are opened by OUTBOUND_ALLOW. */
export const SFTP_PORTS = [22, 2022, 2222] as const;
