export { sideProgram, type SideProgram } from './side-program.js';
