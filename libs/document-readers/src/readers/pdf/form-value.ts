import type { PdfiumExports } from './pdfium-instance.js';
import { readUtf16String } from './pdfium-strings.js';

/** Numbers of form field types. Source: pdfium's header fpdf_formfill.h. */
const CHECK_BOX = 2;
const RADIO_BUTTON = 3;
const COMBO_BOX = 4;
const LIST_BOX = 5;
const TEXT_FIELD = 6;
/** Bit of the field flags that marks a password field. Source: ISO 32000-1, table 228. */
const PASSWORD = 1 << 13;
const CHECKED = '☒';

/**
 * Returns the displayed value of a form field. Returns '' if the field has no value or is a password field. @param
 * state the appearance state (`/AS`) of a check box or radio button
 */
export function readFormValue(pdfium: PdfiumExports, form: number, annotation: number, state: string): string {
  switch (pdfium.FPDFAnnot_GetFormFieldType(form, annotation)) {
    case CHECK_BOX:
    case RADIO_BUTTON:
      return state === '' || state === 'Off' ? '' : CHECKED;
    case COMBO_BOX:
    case LIST_BOX:
      return readSelectedLabels(pdfium, form, annotation) || readTextValue(pdfium, form, annotation);
    case TEXT_FIELD:
      return (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) === 0
        ? readTextValue(pdfium, form, annotation)
        : '';
    default:
      return '';
  }
}

function readTextValue(pdfium: PdfiumExports, form: number, annotation: number): string {
  return readUtf16String(pdfium, (address, bytes) =>
    pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, address, bytes),
  );
}

/** Reads the displayed labels of the selected options, because the stored values can be codes. */
function readSelectedLabels(pdfium: PdfiumExports, form: number, annotation: number): string {
  const labels: string[] = [];
  for (let index = 0; index < pdfium.FPDFAnnot_GetOptionCount(form, annotation); index += 1) {
    if (pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index) === 0) continue;
    labels.push(
      readUtf16String(pdfium, (address, bytes) =>
        pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, address, bytes),
      ),
    );
  }
  return labels.join(', ');
}
