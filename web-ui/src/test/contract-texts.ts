import { contractFacts, type SchemaName } from '#contract';
import { factsOf } from '@/components/form/field-facts';
import type { AnyField, AnyShape, FormSpec, Section } from '@/components/form/field-types';
import { labelOf } from '@/components/form/label-of';

/** The schemas of what the dashboard sends, besides the resources: errors name their fields. */
const SENT = [
  'Batch',
  'ConfigDeclaration',
  'Login',
  'NewApiToken',
  'NewUser',
  'OpenApiImport',
  'PasswordChange',
  'Rollback',
  'RouteTest',
  'UserPatch',
] as const satisfies readonly SchemaName[];

export interface ContractTexts {
  /** What people read. */
  readonly texts: ReadonlySet<string>;
  /** Examples in empty fields: most are values, which are the same in each language. */
  readonly examples: ReadonlySet<string>;
}

/** Returns every text that these forms and the places of errors take from the contract. */
export function contractTexts(specs: readonly FormSpec[]): ContractTexts {
  const texts = new Set<string>();
  const examples = new Set<string>();
  const add = (...given: readonly (string | undefined)[]) => {
    for (const text of given) {
      if (text !== undefined && text !== '') {
        texts.add(text);
      }
    }
  };
  const addField = (schema: SchemaName, key: string, field: AnyField) => {
    add(field.label, field.help ?? factsOf(schema, key).description);
    if ('placeholder' in field && field.placeholder !== undefined) {
      examples.add(field.placeholder);
    }
    switch (field.type) {
      case 'choice':
        add(...field.options.map(({ label }) => label));
        break;
      case 'text':
        add(field.generated);
        break;
      case 'pairs':
        add(field.keyLabel, field.valueLabel, field.row);
        break;
      case 'rows':
        add(field.row);
        addShape(field.schema, field.fields);
        break;
      case 'group':
        add(field.presence === 'plugin' ? contractFacts[field.schema].description : undefined);
        addShape(field.schema, field.fields);
        break;
    }
  };
  const addShape = (schema: SchemaName, shape: AnyShape) =>
    Object.entries(shape).forEach(([key, field]) => addField(schema, key, field));
  const addSection = ({ title, hint, alternatives = [] }: Section) =>
    add(title, hint, ...alternatives.map(({ label }) => label));
  for (const { schema, fields, sections } of specs) {
    addShape(schema, fields);
    sections.forEach(addSection);
  }
  add(...placesOf(SENT));
  return { texts, examples };
}

/** The names of the fields of these schemas, and of those in them. */
function placesOf(schemas: readonly SchemaName[]): readonly string[] {
  const seen = new Set<SchemaName>();
  const labels: string[] = [];
  const visit = (schema: SchemaName) => {
    if (!seen.has(schema)) {
      seen.add(schema);
      for (const [key, { editor }] of Object.entries(contractFacts[schema].properties)) {
        labels.push(labelOf(key));
        if (editor?.schema !== undefined) {
          visit(editor.schema);
        }
      }
    }
  };
  schemas.forEach(visit);
  return labels;
}
