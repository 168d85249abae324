import type { SchemaName } from '#contract';
import type { Kind } from '@/lib/kinds';

interface FieldBase {
  readonly label: string;
  /** Said instead of the contract's description, where another word helps people more; empty for none. */
  readonly help?: string;
  /** Takes the whole width. */
  readonly wide?: boolean;
}

export interface TextField extends FieldBase {
  readonly type: 'text';
  readonly mono?: boolean;
  readonly multiline?: boolean;
  /** The chain of a certificate, or its key. */
  readonly pem?: 'chain' | 'privateKey';
  readonly placeholder?: string;
  /** A secret that the form can make, and what it is: "key". */
  readonly generated?: string;
  /** Given once, when the resource is created. */
  readonly fixedAfterCreate?: boolean;
}

export interface NumberField extends FieldBase {
  readonly type: 'number';
  readonly unit?: 'ms' | 's' | 'bytes';
}

export interface SwitchField extends FieldBase {
  readonly type: 'switch';
}

export interface ChoiceField<V extends string | number | boolean> extends FieldBase {
  readonly type: 'choice';
  /** May be nothing at all: a choice can be taken back. */
  readonly optional?: boolean;
  readonly options: readonly { readonly value: V; readonly label: string }[];
}

/** The id of another resource. */
export interface ReferenceField extends FieldBase {
  readonly type: 'reference';
  readonly kind: Kind;
}

/** A list of short texts, or of numbers. */
export interface TagsField extends FieldBase {
  readonly type: 'tags';
  readonly numeric?: boolean;
  readonly suggestions?: readonly string[];
  /** The values are ids of resources of this kind. */
  readonly of?: Kind;
  /** The values are groups of consumers. */
  readonly groups?: boolean;
  /** No value has a comma or a space in it, so that one ends a value. */
  readonly withoutCommas?: boolean;
  readonly placeholder?: string;
}

/** A map of texts to texts, edited as rows. */
export interface PairsField extends FieldBase {
  readonly type: 'pairs';
  readonly keyLabel: string;
  readonly valueLabel: string;
  /** What one row is: "header", "label". */
  readonly row: string;
}

/** An object of any form, edited as JSON. */
export interface JsonField extends FieldBase {
  readonly type: 'json';
  readonly placeholder?: string;
}

/** A list of objects, edited as rows. */
export interface RowsField<T> extends FieldBase {
  readonly type: 'rows';
  readonly schema: SchemaName;
  /** What one row is: "node". */
  readonly row: string;
  /** The properties that stand on one line; the others are under "More". All of them when absent. */
  readonly line?: readonly (keyof T & string)[];
  /** There may be none; otherwise a row waits to be filled in. */
  readonly optional?: boolean;
  /** The properties that are not here get the fields that the contract suggests. */
  readonly fields: Partial<Shape<T>>;
}

export interface GroupField<T> extends FieldBase {
  readonly type: 'group';
  readonly schema: SchemaName;
  /**
   * `always`: the object is sent when any of its fields is set. `optional`: a switch says whether there is one.
   * `plugin`: on or off at this level; without it, as the level before says.
   */
  readonly presence: 'always' | 'optional' | 'plugin';
  /** Stands alone in its section, whose title says enough. */
  readonly plain?: boolean;
  /** The properties that are not here get the fields that the contract suggests. */
  readonly fields: Partial<Shape<T>>;
}

/** The fields that can edit a value of this type. */
export type FieldFor<V> = [V] extends [boolean]
  ? SwitchField | ChoiceField<boolean>
  : [V] extends [number]
    ? NumberField | ChoiceField<number>
    : [V] extends [string]
      ? string extends V
        ? TextField | ReferenceField
        : ChoiceField<V>
      : [V] extends [readonly (infer Item)[]]
        ? [Item] extends [string]
          ? TagsField
          : [Item] extends [number]
            ? TagsField & { readonly numeric: true }
            : RowsField<Item>
        : string extends keyof V
          ? PairsField | JsonField
          : GroupField<V> | JsonField;

/** One field for every property. */
export type Shape<T> = { readonly [P in keyof T]-?: FieldFor<NonNullable<T[P]>> };

/** Any field, for the code that walks a shape without knowing which resource it belongs to. */
export type AnyField =
  | TextField
  | NumberField
  | SwitchField
  | ChoiceField<string>
  | ChoiceField<number>
  | ChoiceField<boolean>
  | ReferenceField
  | TagsField
  | PairsField
  | JsonField
  | AnyRows
  | AnyGroup;
export type AnyShape = Readonly<Record<string, AnyField>>;
export interface AnyGroup extends Omit<GroupField<unknown>, 'fields'> {
  readonly fields: AnyShape;
}
export interface AnyRows extends Omit<RowsField<unknown>, 'fields' | 'line'> {
  readonly line?: readonly string[];
  readonly fields: AnyShape;
}

export interface Section {
  readonly title: string;
  readonly hint: string;
  readonly fields: readonly string[];
  readonly collapsed?: boolean;
  /** Exactly one of these fields is set; each with the words that offer it. */
  readonly alternatives?: readonly { readonly field: string; readonly label: string }[];
}

/** The form of one kind. */
export interface FormSpec {
  readonly schema: SchemaName;
  readonly fields: AnyShape;
  readonly sections: readonly Section[];
}
