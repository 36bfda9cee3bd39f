/** What is wrong with an address that an endpoint names: told where it is typed, and again where it is stored. */
import { isEmail, plainEmail } from './email.ts';

/** One literal address: no value of a lead chooses who reads the mail. */
export function mailAddressProblem(url: string): string | undefined {
  const address = /^mailto:([^\s?,;<>{}"]+)$/i.exec(url)?.[1];
  if (address === undefined || !isEmail(plainEmail(address))) return 'A mail goes to mailto: and one address: mailto:leads@buyer.example.';
  return undefined;
}

/** The literal part up to the path must be a whole http(s) origin, so that no value can choose the host. */
export function urlProblem(url: string): string | undefined {
  const found = /^(https?):\/\/([^/?#\\]+)/i.exec(url);
  if (!found) return 'The address begins with https:// or http:// and a host.';
  if (found[2]!.includes('{')) return 'The host cannot come from a placeholder.';
  if (found[2]!.includes('@')) return 'User and password belong under authentication.';
  if (/[#\\\s]/.test(url.replace(/\{\{.*?\}\}/g, ''))) return 'The address holds a blank, a backslash or a #.';
  return URL.canParse(found[0]) ? undefined : 'The host cannot be read.';
}
