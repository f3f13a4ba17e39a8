export { GroupCommit, type Admission, type GroupCommitSettings } from './group-commit.js';
