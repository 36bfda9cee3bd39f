import { mailAddressProblem, urlProblem } from '#contract/endpoint.address.ts';
import { SAMPLE_ADDRESS } from '#contract/endpoint.sample-address.ts';
import { formatOf, type JsonObject, type Leg, type LegName, legOf, readEndpoint, setLeg } from './endpoint-draft.ts';

/** Nothing, or what stands for an address that nobody knows yet. */
export const isNoAddress = (url: unknown): boolean => url === undefined || url === '' || url === 'mailto:' || url === SAMPLE_ADDRESS;

/** As it is previewed: what is sent and how an answer is read can be seen before the address is known. */
export function withSampleAddresses(endpoint: JsonObject): JsonObject {
  return (['ping', 'post', 'lost'] as const).reduce((shown, name) => {
    const leg = legOf(shown, name);
    const sample = leg?.url === '' ? SAMPLE_ADDRESS : leg?.url === 'mailto:' ? SAMPLE_MAIL : undefined;
    return leg && sample ? setLeg(shown, name, { ...leg, url: sample }) : shown;
  }, endpoint);
}
const SAMPLE_MAIL = 'mailto:leads@buyer.example';

interface Calls {
  /** Those that are looked at, where they are set up. */
  legs: readonly LegName[];
  /** Whether it is called as it is; one that is paused may still have the sample of the first set-up. */
  isActive: boolean;
}

const WHERE: Record<LegName, string> = {
  ping: 'Say where bids are asked for, at “Address” of the ping.',
  post: 'Say where it is called, at “Address”.',
  lost: 'Say where the loss notice goes, at its “Address”.',
};

const WHERE_WRONG: Record<LegName, string> = { ping: 'Of the ping: ', post: '', lost: 'Of the loss notice: ' };

/** What is wrong with the address of a call that has one. */
export function addressProblem(leg: Leg | undefined): string | undefined {
  const url = leg?.url;
  if (!leg || typeof url !== 'string' || isNoAddress(url)) return undefined;
  return formatOf(leg) === 'mail' ? mailAddressProblem(url) : urlProblem(url);
}

/** What is asked for before anything is sent to the server: text that is JSON, and an address that is one. */
export function checkEndpoint(text: string, { legs, isActive }: Calls): string | null {
  const endpoint = readEndpoint(text);
  if (!endpoint) return 'This is not JSON yet.';
  const missing = legs.find((name) => isMissing(endpoint, name, isActive));
  if (missing) return WHERE[missing];
  const wrong = legs.find((name) => addressProblem(legOf(endpoint, name)));
  return wrong ? `${WHERE_WRONG[wrong]}${addressProblem(legOf(endpoint, wrong))}` : null;
}

function isMissing(endpoint: JsonObject, name: LegName, isActive: boolean): boolean {
  const leg = legOf(endpoint, name);
  if (!leg) return false;
  const { url } = leg;
  return isNoAddress(url) && (isActive || url !== SAMPLE_ADDRESS);
}
