export { makeChart } from './office/make-chart.js';
export { makeDocx, paragraph, wordList, wordPart, wordTable } from './office/make-docx.js';
export { makePptx, textShape, type MadeSlide } from './office/make-pptx.js';
export { makeXlsx } from './office/make-xlsx.js';
export { archive, declareSize, relationships } from './office/package.js';
