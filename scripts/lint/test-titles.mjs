// ESLint rule: the title of a test outside `describe` must name its subject. A title such as “returns undefined” is
// complete only inside a `describe`.

const VERBS = new Set(
  (
    'aborts accepts adds admits allows announces appends applies asks assigns begins builds caches calls cancels changes ' +
    'checks chooses cites claims classifies cleans closes collapses combines compares compiles completes computes configures ' +
    'confirms connects contains continues converts copies counts covers crawls creates cuts decides decodes decrypts defers ' +
    'delays deletes describes detects determines differs discards distinguishes divides does doubles draws drops embeds emits ' +
    'encodes ends enqueues enumerates equals escapes estimates evicts examines excludes exits explains extracts fails fetches ' +
    'finds finishes fires fits follows forbids formats generates gives grants groups grows has hides holds identifies ignores ' +
    'imports includes increases indents indexes informs initializes inserts instructs is joins judges keeps leaves lists ' +
    'loads locks logs loses lowers makes maps marks matches measures merges misses moves names needs normalizes notifies ' +
    'obeys offers omits opens orders overwrites pairs parses passes pauses postpones posts prefers prepares preserves ' +
    'publishes puts queues raises ranks reaches reads reassembles receives recognizes records recovers redacts redirects ' +
    'reduces refers refuses rejects rejoins relates releases removes renames renders renews reorders repeats replaces reports ' +
    'requires resends reserves resets resolves responds restarts restores restricts resumes retains rethrows retries returns ' +
    'reuses revokes rewrites samples schedules scores searches selects sends separates serves sets settles shortens shows ' +
    'shuts signs skips sorts splits starts stays stores streams succeeds syncs throws translates treats tries truncates turns ' +
    'uploads uses waits weighs withdraws works wraps writes yields'
  ).split(' '),
);

export const testTitles = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      subject:
        'Begin the title of a test outside describe with its subject, not with “{{verb}}”, or put it into a describe.',
    },
  },
  create(context) {
    return {
      Program({ body }) {
        for (const { expression } of body) {
          if (expression?.type !== 'CallExpression' || !isTestCall(expression.callee)) continue;
          const [verb = ''] = getTitleText(expression.arguments[0]).split(' ');
          if (VERBS.has(verb)) context.report({ node: expression.arguments[0], messageId: 'subject', data: { verb } });
        }
      },
    };
  },
};

/** Returns true for `it`, `it.skip` and `it.each(…)`. */
function isTestCall(callee) {
  if (callee.type === 'Identifier') return callee.name === 'it';
  return isTestCall(callee.type === 'MemberExpression' ? callee.object : (callee.callee ?? { type: 'Identifier' }));
}

/** Returns the text of a title. For a template literal, returns the part before the first expression. */
function getTitleText(node) {
  return String(node?.value ?? node?.quasis?.[0].value.cooked ?? '');
}
