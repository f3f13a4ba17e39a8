export { makeChart } from './office/make-chart.js';
export { makeDocx, createParagraph, createList, createDocxPart, createTable } from './office/make-docx.js';
export { makePptx, createTextShape, type MadeSlide } from './office/make-pptx.js';
export { makeXlsx } from './office/make-xlsx.js';
export { createArchive, setDeclaredSize, createRelationships } from './office/package.js';
