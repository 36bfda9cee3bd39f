import { dictionary } from '@zxcvbn-ts/language-common';

/** What was found most often in stolen lists, the commonest first, in lower case; some 18,000 of them are as long as a password may be. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/**
 * Stems of the passwords that attackers try first: what people choose when they are asked for 8 to 20 characters. A password
 * is refused when nothing but digits, signs or a year around one of these stems is left of it.
 */
export const COMMON_STEMS: ReadonlySet<string> = new Set(
  `password passwort passw0rd p4ssword pa55word motdepasse contrasena senha parola hasło mima
  welcome letmein login signin admin administrator root superuser sysadmin manager changeme default temporary testing
  secret private access master hunter dragon monkey shadow sunshine princess football baseball basketball soccer hockey
  superman batman spiderman ironman starwars pokemon naruto minecraft fortnite roblox
  iloveyou lovely loveyou mylove forever sweetheart angel butterfly flower rainbow chocolate cookie banana cheese pepper
  computer internet google facebook samsung microsoft windows android iphone apple amazon netflix youtube twitter
  whatever nothing something anything trustno freedom liberty america england london newyork chicago dallas boston
  michael jennifer jessica ashley michelle daniel jordan hannah thomas robert charlie andrew joshua matthew anthony william
  summer winter autumn spring january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
  mustang corvette ferrari porsche mercedes yankees lakers cowboys steelers eagles liverpool arsenal chelsea barcelona realmadrid
  buster tigger ginger maggie bailey bandit killer ranger harley phoenix thunder lightning diamond silver golden purple orange
  qwerty qwertz azerty asdf zxcv qazwsx wsxedc qweasd zaq12wsx 1q2w3e4r 1qaz2wsx q1w2e3r4 abcdef abcd abc aaa xxx
  sluice leads leadgen leadflow pingtree company business office corporate customer guest user demo sample example hello
  blink182 metallica nirvana eminem slipknot matrix gandalf hogwarts`
    .split(/\s+/)
    .filter(Boolean),
);

/** Rows of keyboards and runs of letters and digits, forwards; backwards they count as well. */
export const RUNS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
];
