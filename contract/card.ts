/** Public business cards and landers (account §3, §7); names and paths are the specification's. */
import { z } from 'zod';
import { DESIGN_KEYS, isColor, SOCIAL_KINDS } from './card-design.ts';
import { isWebAddress, withScheme } from './lander-check.ts';
import { isPlainLine } from './person-name.ts';

const webAddress = z
  .string()
  .max(500)
  .transform((text) => withScheme(text.trim()))
  .refine((text) => text === '' || isWebAddress(text), 'must be a web address');

/** As people write one, with six digits at the least: signs alone call nobody. */
export const isPhone = (text: string): boolean => /^\+?[\d ().-]{6,30}$/.test(text) && text.replace(/\D/g, '').length >= 6;

/** Where an icon leads: an address of the web, of mail or of the phone, by its kind. */
const ADDRESS_OF: Partial<Record<string, { is: (text: string) => boolean; says: string }>> = {
  email: { is: (text) => z.email().safeParse(text).success, says: 'must be an e-mail address' },
  phone: { is: isPhone, says: 'must be a phone number' },
};
const ELSEWHERE = { is: isWebAddress, says: 'must be a web address' };

export const socialMedia = z
  .array(
    z
      .object({
        kind: z.enum(SOCIAL_KINDS),
        url: z.string().trim().min(1, 'is required').max(500),
        label: z.string().trim().max(60).refine(isPlainLine, 'must be one line of text without a link').default(''),
      })
      .transform((one) => (ADDRESS_OF[one.kind] ? one : { ...one, url: withScheme(one.url) }))
      .superRefine(({ kind, url }, context) => {
        const { is, says } = ADDRESS_OF[kind] ?? ELSEWHERE;
        if (!is(url)) context.addIssue({ code: 'custom', path: ['url'], message: says });
      }),
  )
  .max(20);
export type SocialMedia = z.infer<typeof socialMedia>;

export const cardWebsite = webAddress;
export const designKey = z.enum(DESIGN_KEYS);
export const designColor = z
  .string()
  .refine((text) => text === '' || isColor(text), 'must be a colour: # and six hexadecimal digits')
  .transform((text) => text.toLowerCase());
export const AVATAR_MAX_BYTES = 512 * 1024;

export const cardParams = z.object({ id: z.string() });

/** GET /api/v1/drawcard/card/1/{id}. */
export const cardAnswer = z.object({
  status: z.literal(true),
  data: z.object({
    avatar: z.string().describe('The address of the picture; empty without one.'),
    name: z.string(),
    title: z.string(),
    company: z.string(),
    email: z.string(),
    phone: z.string(),
    website: z.string(),
    design_color_hash: z.string(),
    designKey,
    additional_information: z.string(),
    socialMedia: z.array(z.object({ kind: z.string(), url: z.string(), label: z.string() })),
    hasLander: z.boolean(),
  }),
});
export type CardAnswer = z.infer<typeof cardAnswer>;

const landerFieldView = z.object({
  fieldName: z.string(),
  fieldHumanName: z.string(),
  type: z.enum(['string', 'email', 'phone', 'url', 'number', 'integer', 'date', 'boolean', 'choice', 'state']),
  required: z.boolean(),
  minChar: z.int().nullable(),
  maxChar: z.int().nullable(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
});

/** GET /api/v1/drawcard/get-lander/{rolodexId}. */
export const landerAnswer = z.object({
  status: z.literal(true),
  data: z.object({
    rolodexId: z.string(),
    serviceProviderInfo: z.object({ description: z.string().describe('HTML, sanitised.') }),
    verticalInfo: z.object({ fields: z.array(landerFieldView) }),
    consentText: z.string(),
    consentVersion: z.string().describe('Which words they are, to be sent back as dc_consent_version; empty without any.'),
    isOpen: z.boolean().describe('False while its campaign or publisher tier takes no leads.'),
  }),
});
export type LanderData = z.infer<typeof landerAnswer>['data'];

/** POST /api/v1/drawcard/submit-lander: beside these, one value per visible field. */
export const submitLanderBody = z
  .object({
    dc_status: z.union([z.literal(1), z.literal('1')]),
    dc_rolodex_id: z.string().max(60),
    rolodexId: z.string().max(60),
    dc_submission: z.string().max(100).optional().describe('Of a form that is sent again because an answer was lost: the same again.'),
    dc_consent: z.boolean().optional().describe('That the consumer agreed to the text of the page.'),
    dc_consent_version: z.string().max(100).optional().describe('The consentVersion of the words that were shown: others are refused.'),
    dc_website: z.string().max(500).optional().describe('Empty: only programs fill it in.'),
    dc_source: z.record(z.string().max(60), z.string().max(500)).optional().describe('UTM parameters and click ids of the visit.'),
  })
  .catchall(z.union([z.string().max(5_000), z.number(), z.boolean()]));
export type SubmitLanderBody = z.infer<typeof submitLanderBody>;

export const submitLanderAnswer = z.object({
  status: z.literal(true),
  msg: z.string(),
  redirectUrl: z.string().optional().describe('Where the consumer goes on, where a buyer named it.'),
});
