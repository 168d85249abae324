// Writes generated/contract/contract-facts.ts: for each property of each schema its description, default and range,
// so that help texts and placeholders of the forms come from the contract and cannot drift from it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const contractUrl = new URL('../../openapi/sigma-admin.yaml', import.meta.url);
const outputUrl = new URL('../generated/contract/contract-facts.ts', import.meta.url);

/** @typedef {{ $ref?: string, type?: string, description?: string, default?: unknown, minimum?: number,
 *   maximum?: number, minItems?: number, properties?: Record<string, Schema>, required?: string[], enum?: unknown[],
 *   items?: Schema, additionalProperties?: boolean | Schema, maxLength?: number, writeOnly?: boolean }} Schema */

export function writeContractFacts() {
  /** @type {Record<string, Schema>} */
  const schemas = parse(readFileSync(contractUrl, 'utf8')).components.schemas;

  /** @param {Schema} schema @returns {Schema} */
  const resolved = (schema) => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : { ...schemas[name], ...schema };
  };

  /**
   * What a form edits the property with.
   * @param {Schema} property
   * @returns {{ type: string, schema?: string, options?: unknown[] }}
   */
  const editor = (property) => {
    const schema = resolved(property);
    const name = property.$ref?.split('/').at(-1);
    if (schema.enum) {
      return { type: 'choice', options: schema.enum };
    }
    if (schema.type === 'array') {
      const item = resolved(schema.items ?? {});
      return item.properties
        ? { type: 'rows', schema: schema.items?.$ref?.split('/').at(-1) }
        : { type: item.type === 'string' ? 'tags' : 'numbers', options: item.enum };
    }
    if (schema.type === 'object' || schema.properties) {
      if (schema.properties && name !== undefined) {
        return { type: 'group', schema: name };
      }
      const values =
        typeof schema.additionalProperties === 'object' ? resolved(schema.additionalProperties) : {};
      return { type: values.type === 'string' ? 'pairs' : 'json' };
    }
    if (schema.type === 'integer' || schema.type === 'number') {
      return { type: 'number' };
    }
    return {
      type: schema.type === 'boolean' ? 'switch' : (schema.maxLength ?? 0) > 4096 ? 'multiline' : 'text',
    };
  };

  const facts = Object.fromEntries(
    Object.entries(schemas)
      .filter(([, schema]) => schema.properties)
      .map(([name, schema]) => [
        name,
        {
          description: text(schema.description),
          properties: Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([key, property]) => {
              const { description, default: fallback, minimum, maximum } = resolved(property);
              return [
                key,
                {
                  required: schema.required?.includes(key) ?? false,
                  description: text(description),
                  fallback: typeof fallback === 'object' ? undefined : fallback,
                  minimum,
                  maximum,
                  optional: resolved(property).default === undefined,
                  editor: editor(property),
                },
              ];
            }),
          ),
        },
      ]),
  );
  mkdirSync(new URL('.', outputUrl), { recursive: true });
  writeFileSync(
    outputUrl,
    `// Generated from openapi/sigma-admin.yaml by scripts/contract-facts.mjs.
export interface PropertyFacts {
  readonly required: boolean;
  readonly description?: string;
  readonly fallback?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Without a default. */
  readonly optional?: boolean;
  /** What a form edits it with. */
  readonly editor?: {
    readonly type:
      | 'choice'
      | 'rows'
      | 'tags'
      | 'numbers'
      | 'group'
      | 'pairs'
      | 'number'
      | 'switch'
      | 'text'
      | 'multiline'
      | 'json';
    readonly schema?: SchemaName;
    readonly options?: readonly string[];
  };
}
export interface SchemaFacts {
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertyFacts>>;
}
export type SchemaName = ${Object.keys(facts)
      .map((name) => `'${name}'`)
      .join(' | ')};
export const contractFacts: Readonly<Record<SchemaName, SchemaFacts>> = ${JSON.stringify(facts, null, 2)};
`,
  );
}

/** @param {string | undefined} description */
function text(description) {
  return description?.trim().replaceAll(/\s+/g, ' ');
}
