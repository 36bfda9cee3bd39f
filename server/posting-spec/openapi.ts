/** The specification as an OpenAPI 3.1 document, for programs. */
import { z } from 'zod';
import { postingAnswer, postingBody } from '#contract/posting.ts';
import { answerExamples } from './answer-examples.ts';
import { type PostingSpec, type SpecifiedField, typeWords } from './describe-posting.ts';

type Schema = Record<string, unknown>;

export function openApiOf(spec: PostingSpec, asOf: Date): Schema {
  const { organizationName, publisherName, publisherTierName, verticalName, origin, fields } = spec;
  const { properties: controls } = z.toJSONSchema(postingBody) as { properties: Schema };
  const properties = Object.fromEntries(fields.map((field) => [field.name, schemaOf(field, spec)]));
  const { pingId, ...beside } = controls;
  const lead = (of: SpecifiedField[], required: (field: SpecifiedField) => boolean, more: Schema = {}): Schema => ({
    type: 'object',
    properties: { ...Object.fromEntries(of.map(({ name }) => [name, properties[name]])), ...beside, ...more },
    required: [...of.filter(required).map(({ name }) => name), ...Object.keys(more)],
    additionalProperties: true,
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `${organizationName}: ${verticalName}`,
      version: asOf.toISOString(),
      description: `Posting specification for ${publisherName}, ${publisherTierName}.`,
    },
    servers: [{ url: origin }],
    security: [{ bearer: [] }, { header: [] }],
    paths: {
      '/api/v1/leads': posted('postLead', 'Post a lead; answered when it is sold or nobody bought', 'Lead', spec.sample, spec, asOf),
      '/api/v1/leads/ping': posted('pingLead', 'Ask for a bid with a part of a lead', 'Ping', spec.pingSample, spec, asOf),
      '/api/v1/leads/post': posted('postPinged', 'Post the whole lead of an earlier ping', 'PingedLead', spec.sample, spec, asOf),
      '/api/v1/leads/{id}': {
        get: {
          operationId: 'askLead',
          summary: 'The answer that a lead got',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: answered('As it was posted.'), 404: answered('No such lead under this key.') },
        },
      },
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Your posting key.' },
        header: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Your posting key.' },
      },
      schemas: {
        Lead: lead(fields, ({ isRequired }) => isRequired),
        Ping: lead(
          fields.filter(({ isInPing }) => isInPing),
          ({ isRequiredInPing }) => isRequiredInPing,
        ),
        PingedLead: lead(fields, ({ isRequired, isInPing }) => isRequired && !isInPing, { pingId: pingId as Schema }),
        Answer: z.toJSONSchema(postingAnswer, { io: 'output' }),
      },
    },
  };
}

function posted(operationId: string, summary: string, schema: string, sample: Schema, spec: PostingSpec, asOf: Date): Schema {
  const content = { schema: { $ref: `#/components/schemas/${schema}` }, example: { ...sample, test: true } };
  const examples = Object.fromEntries(
    answerExamples(spec, new Date(asOf.getTime() + 60_000)).map(({ title, answer }) => [
      title.replaceAll(' ', '_'),
      { summary: title, value: answer },
    ]),
  );
  return {
    post: {
      operationId,
      summary,
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } }],
      requestBody: {
        required: true,
        content: { 'application/json': content, 'application/x-www-form-urlencoded': content, 'application/xml': content },
      },
      responses: {
        200: { ...answered('Taken; status says what became of it.', examples) },
        default: answered('Not taken; code says why.'),
      },
    },
  };
}

const answered = (description: string, examples?: Schema): Schema => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' }, ...(examples && { examples }) } },
});

function schemaOf(field: SpecifiedField, spec: PostingSpec): Schema {
  const { minChar, maxChar, min, max, pattern } = field.config;
  const isText = !['number', 'integer', 'money', 'boolean', 'choice'].includes(field.type);
  return {
    ...TYPES[field.type],
    title: field.label,
    description: [typeWords(field, spec.country), ...field.limits].join('; '),
    ...(field.options.length > 0 && { enum: field.options }),
    ...(isText && minChar !== undefined && { minLength: minChar }),
    ...(isText && maxChar !== undefined && { maxLength: maxChar }),
    ...(!isText && min !== undefined && { minimum: min }),
    ...(!isText && max !== undefined && { maximum: max }),
    ...(isText && pattern && { pattern: `^(?:${pattern})$` }),
    ...(field.sample !== '' && { examples: [spec.sample[field.name]] }),
  };
}

const TEXT = { type: 'string' };
const TYPES: Record<SpecifiedField['type'], Schema> = {
  string: TEXT,
  email: { type: 'string', format: 'email' },
  phone: TEXT,
  url: { type: 'string', format: 'uri' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  date: TEXT,
  boolean: { type: 'boolean' },
  choice: TEXT,
  state: TEXT,
  zip: TEXT,
  ip: TEXT,
  money: { type: 'number' },
  routing: TEXT,
  bin: TEXT,
};
