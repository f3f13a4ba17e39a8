/**
 * Describes the weights of a model. This file supports the parts of ONNX's protobuf format (onnx.proto, IR version 8)
 * that small models need.
 */

export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

export interface OnnxNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Attributes of the node that are lists of integers, by name. */
  readonly lists?: Readonly<Record<string, readonly number[]>>;
  /** Attributes of the node that are integers, by name. */
  readonly numbers?: Readonly<Record<string, number>>;
}

/** Describes an input or output of a model. A dimension that is a name has a variable size. */
export interface OnnxValue {
  readonly name: string;
  readonly type: 'float' | 'int64';
  readonly dims: readonly (string | number)[];
}

export interface OnnxModel {
  readonly nodes: readonly OnnxNode[];
  readonly weights: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const ELEMENT = { float: 1, int64: 7 } as const;
const IR_VERSION = 8;
/** The last version in which ReduceSum takes its axes as an attribute. */
const OPSET = 12;
const ATTRIBUTE = { int: 2, ints: 7 } as const;

export function encodeOnnxFile({ nodes, weights, inputs, outputs }: OnnxModel): Uint8Array {
  const graph = [
    ...nodes.map((node) => encodeMessage(1, encodeNode(node))),
    encodeText(2, 'graph'),
    ...weights.map((tensor) => encodeMessage(5, encodeTensor(tensor))),
    ...inputs.map((value) => encodeMessage(11, encodeValue(value))),
    ...outputs.map((value) => encodeMessage(12, encodeValue(value))),
  ];
  return Buffer.concat([
    encodeNumber(1, IR_VERSION),
    encodeMessage(7, graph),
    encodeMessage(8, [encodeText(1, ''), encodeNumber(2, OPSET)]),
  ]);
}

function encodeNode({ type, inputs, output, lists = {}, numbers = {} }: OnnxNode): Buffer[] {
  const ints = Object.entries(lists).map(([name, values]) =>
    encodeMessage(5, [
      encodeText(1, name),
      ...values.map((value) => encodeNumber(8, value)),
      encodeNumber(20, ATTRIBUTE.ints),
    ]),
  );
  const single = Object.entries(numbers).map(([name, value]) =>
    encodeMessage(5, [encodeText(1, name), encodeNumber(3, value), encodeNumber(20, ATTRIBUTE.int)]),
  );
  return [
    ...inputs.map((input) => encodeText(1, input)),
    encodeText(2, output),
    encodeText(4, type),
    ...ints,
    ...single,
  ];
}

function encodeTensor({ name, dims, values }: OnnxTensor): Buffer[] {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return [
    ...dims.map((dim) => encodeNumber(1, dim)),
    encodeNumber(2, ELEMENT.float),
    encodeText(8, name),
    encodeBytes(9, raw),
  ];
}

function encodeValue({ name, type, dims }: OnnxValue): Buffer[] {
  const shape = dims.map((dim) =>
    encodeMessage(1, [typeof dim === 'number' ? encodeNumber(1, dim) : encodeText(2, dim)]),
  );
  return [
    encodeText(1, name),
    encodeMessage(2, [encodeMessage(1, [encodeNumber(1, ELEMENT[type]), encodeMessage(2, shape)])]),
  ];
}

function encodeNumber(field: number, value: number): Buffer {
  return Buffer.concat([encodeVarint(field << 3), encodeVarint(value)]);
}

function encodeText(field: number, value: string): Buffer {
  return encodeBytes(field, Buffer.from(value));
}

function encodeMessage(field: number, parts: readonly Buffer[]): Buffer {
  return encodeBytes(field, Buffer.concat(parts));
}

function encodeBytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([encodeVarint((field << 3) | 2), encodeVarint(content.length), content]);
}

function encodeVarint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return Buffer.from([...groups, rest]);
}
