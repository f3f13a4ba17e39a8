import { getMetadataStorage, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import { findExpectedType } from './expected-type.js';
import { getNestedType } from './nested-type.js';
import type { Fields, Shape } from './shape.js';
import { getTransform, type TransformField } from './transform.js';
import { VALIDATE_WITH, type FindViolations } from './validate-with.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Describes one validation rule of a field. */
export interface FieldRule {
  /**
   * Type of value that the rule requires. Undefined: values of several types can satisfy the rule, or the decorator of
   * the rule sets a message.
   */
  readonly expectedType: ReturnType<typeof findExpectedType>;
  isSatisfied(value: unknown, object: Fields): boolean;
  /**
   * Returns the message of the rule for a value that violates the rule, without the name of the field, which the path
   * of an issue contains.
   */
  explain(value: unknown, object: Fields): string;
  /**
   * Returns the parts of a value that violate the rule. Undefined or an empty list: the rule reports a violation for
   * the value as a whole.
   */
  readonly findViolations: ((value: unknown, object: Fields) => ReturnType<FindViolations>) | undefined;
}

/** Describes the nested objects of a field: one object, or a list of objects. */
export interface NestedField {
  readonly shape: Shape<object>;
  /** True if the field is a list of nested objects. */
  readonly isList: boolean;
}

/** Describes everything that the decorators of one field declare. */
export interface FieldRules {
  readonly name: string;
  readonly transform: TransformField | undefined;
  /** Conditions of the field. If one of them returns false, the rules do not apply. */
  readonly conditions: readonly ((value: unknown, object: Fields) => boolean)[];
  readonly rules: readonly FieldRule[];
  readonly nested: NestedField | undefined;
}

const known = new WeakMap<Shape<object>, ReadonlyMap<string, FieldRules>>();

/**
 * Returns the rules of each field of a shape, including the fields of superclasses. Computes the rules only once for
 * each shape.
 *
 * @throws Error for a shape without rules, a shape that contains itself, a nested field without `Type`, an asynchronous
 * rule, or a rule with the option `groups` or `validateIf`
 */
export function getFieldRules(shape: Shape<object>): ReadonlyMap<string, FieldRules> {
  return known.get(shape) ?? compileFieldRules(shape, []);
}

function compileFieldRules(shape: Shape<object>, outer: readonly Shape<object>[]): ReadonlyMap<string, FieldRules> {
  // Values of a recursive shape could have any depth, and overflow the stack.
  if (outer.includes(shape)) throw new Error(`${shape.name} contains itself, but recursive shapes are not supported`);
  const all = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  if (all.length === 0) throw new Error(`expected rules on the fields of ${shape.name}, found none`);
  const byField = Map.groupBy(all, ({ propertyName }) => propertyName);
  const fields = new Map([...byField].map(([name, own]) => [name, createRulesOfField(shape, name, own)]));
  for (const { nested } of fields.values())
    if (nested !== undefined) compileFieldRules(nested.shape, [...outer, shape]);
  known.set(shape, fields);
  return fields;
}

function createRulesOfField(shape: Shape<object>, name: string, own: readonly Metadata[]): FieldRules {
  const conditions = own.filter(({ type }) => type === 'conditionalValidation');
  const rules = own.filter((rule) => !conditions.includes(rule));
  for (const rule of rules) requireUnconditionalRule(shape, rule);
  const nested = rules.find(({ type }) => type === 'nestedValidation');
  return {
    name,
    transform: getTransform(shape, name),
    conditions: conditions.map(createFieldCondition),
    rules: rules.filter((rule) => rule !== nested).flatMap((rule) => createRulesOfDecorator(shape, rule)),
    nested: nested === undefined ? undefined : createNestedField(shape, nested),
  };
}

function requireUnconditionalRule(shape: Shape<object>, rule: Metadata): void {
  const { groups = [], validateIf } = rule as Partial<Metadata>; // class-validator omits absent options
  if (groups.length === 0 && validateIf === undefined) return;
  throw new Error(
    `${shape.name}.${rule.propertyName} has a rule with \`groups\` or \`validateIf\`, which are not supported: use ValidateIf`,
  );
}

function createFieldCondition({ constraints }: Metadata): FieldRules['conditions'][number] {
  const [condition] = constraints as [(object: Fields, value: unknown) => boolean]; // set by ValidateIf and IsOptional
  return (value, object) => condition(object, value);
}

function createNestedField(shape: Shape<object>, { propertyName, each }: Metadata): NestedField {
  const nested = getNestedType(shape, propertyName);
  if (nested === undefined)
    throw new Error(`expected a Type decorator on the nested field ${shape.name}.${propertyName}, found none`);
  return { shape: nested, isList: each };
}

/** Returns the rules that one decorator declares. @throws Error for a rule that is asynchronous or not a custom rule */
function createRulesOfDecorator(shape: Shape<object>, rule: Metadata): readonly FieldRule[] {
  const constraints = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  if (rule.type !== 'customValidation' || constraints.length === 0 || constraints.some(({ async }) => async)) {
    const field = `${shape.name}.${rule.propertyName}`;
    throw new Error(
      `${field} has the rule ${rule.name ?? rule.type}, which is not supported: use a synchronous custom rule`,
    );
  }
  return constraints.map(({ instance }) => createFieldRule(shape.name, rule, instance));
}

function createFieldRule(targetName: string, rule: Metadata, constraint: ValidatorConstraintInterface): FieldRule {
  const { propertyName: property, constraints, each } = rule;
  const createValidationArguments = (value: unknown, object: Fields): ValidationArguments => {
    return { targetName, property, constraints, object, value };
  };
  const isSatisfied = (value: unknown, whole: unknown, object: Fields): boolean =>
    constraint.validate(value, createValidationArguments(whole, object)) === true;
  const explain = (value: unknown, object: Fields): string =>
    formatRuleMessage(rule, constraint, createValidationArguments(value, object));
  // Further elements may be as wrong as the first one, so a message about each would have no limit.
  const findElementViolation: FieldRule['findViolations'] = (value, object) => {
    const elements: readonly unknown[] = Array.isArray(value) ? value : [];
    const at = elements.findIndex((element) => !isSatisfied(element, value, object));
    return at === -1 ? [] : [{ path: String(at), message: explain(value, object), found: elements[at] }];
  };
  const [findViolations] = rule.name === VALIDATE_WITH ? (constraints as [FindViolations]) : []; // set by ValidateWith
  return {
    expectedType: each || hasCustomMessage(rule) ? undefined : findExpectedType(rule.name),
    isSatisfied: each
      ? (value, object) =>
          Array.isArray(value)
            ? value.every((element) => isSatisfied(element, value, object))
            : isSatisfied(value, value, object)
      : (value, object) => isSatisfied(value, value, object),
    explain,
    // The own message of a rule describes the list as a whole, such as `must be names of languages`.
    findViolations: each && !hasCustomMessage(rule) ? findElementViolation : findViolations,
  };
}

function hasCustomMessage(rule: Metadata): boolean {
  return (rule as Partial<Metadata>).message !== undefined; // absent unless the decorator sets one
}

/**
 * Removes the subject from a message of class-validator. Replaces its placeholders, except `$value`, because `parse`
 * adds the value itself.
 */
function formatRuleMessage(
  rule: Metadata,
  constraint: ValidatorConstraintInterface,
  validationArguments: ValidationArguments,
): string {
  const { message = constraint.defaultMessage?.(validationArguments) ?? '' } = rule as Partial<Metadata>; // absent unless the decorator sets one
  const text = typeof message === 'string' ? message : message(validationArguments);
  return text
    .replace(/^(?:each value in )?\$property /, '')
    .replaceAll(/\$constraint(\d+)/g, (_, place: string) => formatConstraint(rule.constraints[Number(place) - 1]))
    .replaceAll('$property', () => validationArguments.property)
    .replaceAll('$target', () => validationArguments.targetName);
}

function formatConstraint(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
