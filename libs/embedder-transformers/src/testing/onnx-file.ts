/** Describes a constant tensor of a model, such as its weights. */
export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

export interface OnnxNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Attributes of the node that are lists of integers, keyed by name. */
  readonly lists?: Readonly<Record<string, readonly number[]>>;
  /** Attributes of the node that are integers, keyed by name. */
  readonly numbers?: Readonly<Record<string, number>>;
}

/** Describes an input or output of a model. A dimension given as a name has a variable size. */
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
/** The last version of the ONNX operators in which ReduceSum takes its axes as an attribute. */
const OPSET = 12;
const ATTRIBUTE = { int: 2, ints: 7 } as const;

/** Encodes a model in the protobuf format of ONNX (onnx.proto, IR version 8), as far as small models need it. */
export function encodeOnnxFile({ nodes, weights, inputs, outputs }: OnnxModel): Uint8Array {
  const graph = [
    ...nodes.map((node) => encodeMessageField(1, encodeNode(node))),
    encodeTextField(2, 'graph'),
    ...weights.map((tensor) => encodeMessageField(5, encodeTensor(tensor))),
    ...inputs.map((value) => encodeMessageField(11, encodeValue(value))),
    ...outputs.map((value) => encodeMessageField(12, encodeValue(value))),
  ];
  return Buffer.concat([
    encodeNumberField(1, IR_VERSION),
    encodeMessageField(7, graph),
    encodeMessageField(8, [encodeTextField(1, ''), encodeNumberField(2, OPSET)]),
  ]);
}

function encodeNode({ type, inputs, output, lists = {}, numbers = {} }: OnnxNode): Buffer[] {
  const ints = Object.entries(lists).map(([name, values]) =>
    encodeMessageField(5, [
      encodeTextField(1, name),
      ...values.map((value) => encodeNumberField(8, value)),
      encodeNumberField(20, ATTRIBUTE.ints),
    ]),
  );
  const single = Object.entries(numbers).map(([name, value]) =>
    encodeMessageField(5, [
      encodeTextField(1, name),
      encodeNumberField(3, value),
      encodeNumberField(20, ATTRIBUTE.int),
    ]),
  );
  return [
    ...inputs.map((input) => encodeTextField(1, input)),
    encodeTextField(2, output),
    encodeTextField(4, type),
    ...ints,
    ...single,
  ];
}

function encodeTensor({ name, dims, values }: OnnxTensor): Buffer[] {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return [
    ...dims.map((dim) => encodeNumberField(1, dim)),
    encodeNumberField(2, ELEMENT.float),
    encodeTextField(8, name),
    encodeBytesField(9, raw),
  ];
}

function encodeValue({ name, type, dims }: OnnxValue): Buffer[] {
  const shape = dims.map((dim) =>
    encodeMessageField(1, [typeof dim === 'number' ? encodeNumberField(1, dim) : encodeTextField(2, dim)]),
  );
  return [
    encodeTextField(1, name),
    encodeMessageField(2, [encodeMessageField(1, [encodeNumberField(1, ELEMENT[type]), encodeMessageField(2, shape)])]),
  ];
}

/** Encodes an integer field of a protobuf message. */
function encodeNumberField(fieldNumber: number, value: number): Buffer {
  return Buffer.concat([encodeVarint(fieldNumber << 3), encodeVarint(value)]);
}

/** Encodes a string field of a protobuf message. */
function encodeTextField(fieldNumber: number, value: string): Buffer {
  return encodeBytesField(fieldNumber, Buffer.from(value));
}

/** Encodes a field whose value is a protobuf message. */
function encodeMessageField(fieldNumber: number, encodedFields: readonly Buffer[]): Buffer {
  return encodeBytesField(fieldNumber, Buffer.concat(encodedFields));
}

/** Encodes a bytes field of a protobuf message. */
function encodeBytesField(fieldNumber: number, content: Buffer): Buffer {
  return Buffer.concat([encodeVarint((fieldNumber << 3) | 2), encodeVarint(content.length), content]);
}

function encodeVarint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return Buffer.from([...groups, rest]);
}
