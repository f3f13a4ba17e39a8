/** Enough of ONNX's protobuf (onnx.proto, IR version 8) to write a model of a few nodes. */

export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

export interface OnnxNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Lists of whole numbers, by name. */
  readonly lists?: Readonly<Record<string, readonly number[]>>;
  /** Whole numbers, by name. */
  readonly numbers?: Readonly<Record<string, number>>;
}

/** Named dimensions are those that a call decides. */
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
/** The last in which ReduceSum takes its axes as an attribute. */
const OPSET = 12;
const ATTRIBUTE = { int: 2, ints: 7 } as const;

export function onnxFile({ nodes, weights, inputs, outputs }: OnnxModel): Uint8Array {
  const graph = [
    ...nodes.map((node) => message(1, nodeOf(node))),
    text(2, 'graph'),
    ...weights.map((tensor) => message(5, tensorOf(tensor))),
    ...inputs.map((value) => message(11, valueOf(value))),
    ...outputs.map((value) => message(12, valueOf(value))),
  ];
  return Buffer.concat([number(1, IR_VERSION), message(7, graph), message(8, [text(1, ''), number(2, OPSET)])]);
}

function nodeOf({ type, inputs, output, lists = {}, numbers = {} }: OnnxNode): Buffer[] {
  const ints = Object.entries(lists).map(([name, values]) =>
    message(5, [text(1, name), ...values.map((value) => number(8, value)), number(20, ATTRIBUTE.ints)]),
  );
  const single = Object.entries(numbers).map(([name, value]) =>
    message(5, [text(1, name), number(3, value), number(20, ATTRIBUTE.int)]),
  );
  return [...inputs.map((input) => text(1, input)), text(2, output), text(4, type), ...ints, ...single];
}

function tensorOf({ name, dims, values }: OnnxTensor): Buffer[] {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return [...dims.map((dim) => number(1, dim)), number(2, ELEMENT.float), text(8, name), bytes(9, raw)];
}

function valueOf({ name, type, dims }: OnnxValue): Buffer[] {
  const shape = dims.map((dim) => message(1, [typeof dim === 'number' ? number(1, dim) : text(2, dim)]));
  return [text(1, name), message(2, [message(1, [number(1, ELEMENT[type]), message(2, shape)])])];
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return Buffer.from([...groups, rest]);
}
