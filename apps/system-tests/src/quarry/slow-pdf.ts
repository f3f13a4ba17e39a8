/** PDF operators that save and restore the graphics state 100,000 times, which takes time and draws nothing. */
const IDLE_WORK = 'q Q '.repeat(100_000);

/**
 * Builds a PDF with one page per text. Reading a page takes some hundredths of a second, because each page begins with
 * `IDLE_WORK`. Source of the format: ISO 32000-1, section 7.5.
 */
export function buildSlowPdf(texts: readonly string[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${texts.length} /Kids [${texts.map((_, index) => `${5 + index * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    formatPdfStream(IDLE_WORK),
    ...texts.flatMap((text, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents [4 0 R ${6 + index * 2} 0 R] >>`,
      formatPdfStream(`BT /F1 11 Tf 72 700 Td (${text}) Tj ET`),
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

function formatPdfStream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}
