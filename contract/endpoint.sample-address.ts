import type { EndpointConfig } from './endpoint.ts';

/** Stands for an address that nobody knows yet, in the first set-up; nothing is ever sent there. */
export const SAMPLE_ADDRESS = 'https://buyer.example/leads';

export const hasSampleAddress = ({ ping, post, lost }: Pick<EndpointConfig, 'ping' | 'post' | 'lost'>): boolean =>
  [ping, post, lost].some((leg) => leg?.url === SAMPLE_ADDRESS);
