export { DirectoryInUse, lockDirectory, type DirectoryLock } from './lock-directory.js';
