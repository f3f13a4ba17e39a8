export { hold, lastErrors, rest } from './child-process.js';
export { sideProgram, type SideProgram } from './side-program.js';
