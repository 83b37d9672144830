import type { IncomingSource } from '../../contract/incoming.ts'

/** A payload of a source, as its documentation describes it, and the message that it becomes. */
export type Sample = {
  what: string
  source: IncomingSource
  headers?: Record<string, string>
  body: unknown
  /** Undefined if the call is accepted and writes nothing. */
  text: string | undefined
}

const github = (event: string) => ({ 'X-GitHub-Event': event })
const gitlab = (event: string) => ({ 'X-Gitlab-Event': event })
const sentry = (resource: string) => ({ 'Sentry-Hook-Resource': resource })

const repository = { full_name: 'acme/rocket', html_url: 'https://github.com/acme/rocket' }
const sender = { login: 'ada' }
const project = { path_with_namespace: 'acme/rocket', web_url: 'https://gitlab.example.com/acme/rocket' }
const user = { name: 'Ada Okafor', username: 'ada' }
const ZEROS = '0'.repeat(40)
const SHA = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c'

const pull_request = {
  number: 7,
  title: 'Make `launch` *faster*',
  html_url: 'https://github.com/acme/rocket/pull/7',
  body: 'It was slow.\r\n\r\n<!-- template -->\r\n- [x] tested',
  draft: false,
  merged: false,
  additions: 12,
  deletions: 3,
  head: { ref: 'faster' },
  base: { ref: 'main' },
}
const issue = {
  number: 12,
  title: 'Countdown skips 3',
  html_url: 'https://github.com/acme/rocket/issues/12',
  body: 'It goes 5, 4, 2, 1.',
}

const GITHUB: Sample[] = [
  {
    what: 'a ping',
    source: 'github',
    headers: github('ping'),
    body: { zen: 'Keep it logically awesome.', hook_id: 1, repository, sender },
    text: 'GitHub is connected to [acme/rocket](https://github.com/acme/rocket).\n> Keep it logically awesome.',
  },
  {
    what: 'a push',
    source: 'github',
    headers: github('push'),
    body: {
      ref: 'refs/heads/main',
      before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      after: SHA,
      created: false,
      deleted: false,
      forced: false,
      compare: 'https://github.com/acme/rocket/compare/6113728f27ae...0d1a26e67d8f',
      commits: [
        {
          id: SHA,
          message: 'Fix the countdown\n\nIt skipped 3.',
          url: `https://github.com/acme/rocket/commit/${SHA}`,
          author: { name: 'Ada Okafor', email: 'ada@example.com', username: 'ada' },
        },
        {
          id: 'c441029cf673f84c8b7db52d0a5944ee5c52ff89',
          message: 'Rename snake_case and _private to <@11111111-2222-4333-8444-555555555555>',
          url: 'https://github.com/acme/rocket/commit/c441029cf673f84c8b7db52d0a5944ee5c52ff89',
          author: { name: 'Cy' },
        },
      ],
      pusher: { name: 'ada', email: 'ada@example.com' },
      repository,
      sender,
    },
    text: [
      '**ada** pushed [2 commits](https://github.com/acme/rocket/compare/6113728f27ae...0d1a26e67d8f) to the branch `main` in [acme/rocket](https://github.com/acme/rocket)',
      `- [\`0d1a26e\`](https://github.com/acme/rocket/commit/${SHA}) Fix the countdown (Ada Okafor)`,
      '- [`c441029`](https://github.com/acme/rocket/commit/c441029cf673f84c8b7db52d0a5944ee5c52ff89) Rename snake_case and \\_private to <\\@11111111-2222-4333-8444-555555555555> (Cy)',
    ].join('\n'),
  },
  {
    what: 'a branch that is deleted',
    source: 'github',
    headers: github('push'),
    body: { ref: 'refs/heads/old', after: ZEROS, deleted: true, commits: [], repository, sender },
    text: '**ada** deleted the branch `old` in [acme/rocket](https://github.com/acme/rocket)',
  },
  {
    what: 'a tag',
    source: 'github',
    headers: github('push'),
    body: { ref: 'refs/tags/v1.2', after: SHA, created: true, commits: [], repository, sender },
    text: '**ada** pushed the new tag `v1.2` in [acme/rocket](https://github.com/acme/rocket)',
  },
  {
    what: 'a pull request',
    source: 'github',
    headers: github('pull_request'),
    body: { action: 'opened', number: 7, pull_request, repository, sender },
    text: [
      '**ada** opened the pull request **[#7 Make \\`launch\\` \\*faster\\*](https://github.com/acme/rocket/pull/7)** (`faster` into `main`) in [acme/rocket](https://github.com/acme/rocket) · +12 −3',
      '> It was slow.',
      '>',
      '> - [x] tested',
    ].join('\n'),
  },
  {
    what: 'a merge',
    source: 'github',
    headers: github('pull_request'),
    body: { action: 'closed', pull_request: { ...pull_request, merged: true }, repository, sender },
    text: '**ada** merged the pull request **[#7 Make \\`launch\\` \\*faster\\*](https://github.com/acme/rocket/pull/7)** (`faster` into `main`) in [acme/rocket](https://github.com/acme/rocket)',
  },
  {
    what: 'a label on a pull request',
    source: 'github',
    headers: github('pull_request'),
    body: { action: 'labeled', pull_request, repository, sender },
    text: undefined,
  },
  {
    what: 'a review',
    source: 'github',
    headers: github('pull_request_review'),
    body: {
      action: 'submitted',
      review: { state: 'approved', body: 'Nice.' },
      pull_request,
      repository,
      sender,
    },
    text: '✅ **ada** approved the pull request **[#7 Make \\`launch\\` \\*faster\\*](https://github.com/acme/rocket/pull/7)** in [acme/rocket](https://github.com/acme/rocket)\n> Nice.',
  },
  {
    what: 'an issue',
    source: 'github',
    headers: github('issues'),
    body: { action: 'opened', issue, repository, sender },
    text: '**ada** opened the issue **[#12 Countdown skips 3](https://github.com/acme/rocket/issues/12)** in [acme/rocket](https://github.com/acme/rocket)\n> It goes 5, 4, 2, 1.',
  },
  {
    what: 'a comment on an issue',
    source: 'github',
    headers: github('issue_comment'),
    body: {
      action: 'created',
      issue,
      comment: { html_url: 'https://github.com/acme/rocket/issues/12#issuecomment-1', body: 'Me **too**.' },
      repository,
      sender,
    },
    text: '**ada** [commented](https://github.com/acme/rocket/issues/12#issuecomment-1) on the issue **[#12 Countdown skips 3](https://github.com/acme/rocket/issues/12)** in [acme/rocket](https://github.com/acme/rocket)\n> Me **too**.',
  },
  {
    what: 'a release',
    source: 'github',
    headers: github('release'),
    body: {
      action: 'published',
      release: {
        tag_name: 'v1.2',
        name: 'Apollo',
        html_url: 'https://github.com/acme/rocket/releases/tag/v1.2',
        body: '* faster\n* safer',
        prerelease: false,
      },
      repository,
      sender,
    },
    text: '**ada** published the release **[Apollo](https://github.com/acme/rocket/releases/tag/v1.2)** in [acme/rocket](https://github.com/acme/rocket)\n> * faster\n> * safer',
  },
  {
    what: 'a workflow that failed',
    source: 'github',
    headers: github('workflow_run'),
    body: {
      action: 'completed',
      workflow_run: {
        name: 'CI',
        run_number: 42,
        conclusion: 'failure',
        head_branch: 'main',
        display_title: 'Fix the countdown',
        html_url: 'https://github.com/acme/rocket/actions/runs/1',
      },
      repository,
      sender,
    },
    text: '❌ **[CI #42](https://github.com/acme/rocket/actions/runs/1)**: Failure on `main` in [acme/rocket](https://github.com/acme/rocket)\n> Fix the countdown',
  },
  {
    what: 'a workflow that begins',
    source: 'github',
    headers: github('workflow_run'),
    body: { action: 'requested', workflow_run: { name: 'CI' }, repository, sender },
    text: undefined,
  },
  {
    what: 'a check',
    source: 'github',
    headers: github('check_run'),
    body: { action: 'completed', repository, sender },
    text: undefined,
  },
  {
    what: 'an event that is not known',
    source: 'github',
    headers: github('star'),
    body: { action: 'created', repository, sender },
    text: '**ada**: star created in [acme/rocket](https://github.com/acme/rocket)',
  },
]

const GITLAB: Sample[] = [
  {
    what: 'a push',
    source: 'gitlab',
    headers: gitlab('Push Hook'),
    body: {
      object_kind: 'push',
      event_name: 'push',
      before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
      after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      ref: 'refs/heads/main',
      user_name: 'Ada Okafor',
      user_username: 'ada',
      project,
      commits: [
        {
          id: 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
          message: 'Update the catalog\n\nSee #12',
          title: 'Update the catalog',
          url: 'https://gitlab.example.com/acme/rocket/-/commit/b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
          author: { name: 'Cy', email: 'cy@example.com' },
        },
      ],
      total_commits_count: 4,
    },
    text: [
      '**Ada Okafor** pushed 4 commits to the branch `main` in [acme/rocket](https://gitlab.example.com/acme/rocket)',
      '- [`b6568db`](https://gitlab.example.com/acme/rocket/-/commit/b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327) Update the catalog (Cy)',
      '- and 3 more',
    ].join('\n'),
  },
  {
    what: 'a tag',
    source: 'gitlab',
    headers: gitlab('Tag Push Hook'),
    body: {
      object_kind: 'tag_push',
      before: ZEROS,
      after: SHA,
      ref: 'refs/tags/v1.0.0',
      user_name: 'Ada Okafor',
      project,
      commits: [],
      total_commits_count: 0,
    },
    text: '**Ada Okafor** pushed the new tag `v1.0.0` in [acme/rocket](https://gitlab.example.com/acme/rocket)',
  },
  {
    what: 'a merge request',
    source: 'gitlab',
    headers: gitlab('Merge Request Hook'),
    body: {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user,
      project,
      object_attributes: {
        iid: 16,
        title: 'Draft: Fuel',
        description: 'More of it.',
        url: 'https://gitlab.example.com/acme/rocket/-/merge_requests/16',
        action: 'open',
        draft: true,
        source_branch: 'fuel',
        target_branch: 'main',
      },
    },
    text: '**Ada Okafor** opened the draft merge request **[!16 Draft: Fuel](https://gitlab.example.com/acme/rocket/-/merge_requests/16)** (`fuel` into `main`) in [acme/rocket](https://gitlab.example.com/acme/rocket)\n> More of it.',
  },
  {
    what: 'a change of a merge request',
    source: 'gitlab',
    headers: gitlab('Merge Request Hook'),
    body: { object_kind: 'merge_request', user, project, object_attributes: { iid: 16, action: 'update' } },
    text: undefined,
  },
  {
    what: 'an issue',
    source: 'gitlab',
    headers: gitlab('Issue Hook'),
    body: {
      object_kind: 'issue',
      user,
      project,
      object_attributes: {
        iid: 23,
        title: 'New API: create/update/delete file',
        description: '',
        url: 'https://gitlab.example.com/acme/rocket/-/issues/23',
        action: 'close',
      },
    },
    text: '**Ada Okafor** closed the issue **[#23 New API: create/update/delete file](https://gitlab.example.com/acme/rocket/-/issues/23)** in [acme/rocket](https://gitlab.example.com/acme/rocket)',
  },
  {
    what: 'a comment',
    source: 'gitlab',
    headers: gitlab('Note Hook'),
    body: {
      object_kind: 'note',
      user,
      project,
      object_attributes: {
        note: 'This MR needs work.',
        noteable_type: 'MergeRequest',
        url: 'https://gitlab.example.com/acme/rocket/-/merge_requests/16#note_1244',
      },
      merge_request: {
        iid: 16,
        title: 'Fuel',
        url: 'https://gitlab.example.com/acme/rocket/-/merge_requests/16',
      },
    },
    text: '**Ada Okafor** [commented](https://gitlab.example.com/acme/rocket/-/merge_requests/16#note_1244) on the merge request **[!16 Fuel](https://gitlab.example.com/acme/rocket/-/merge_requests/16)** in [acme/rocket](https://gitlab.example.com/acme/rocket)\n> This MR needs work.',
  },
  {
    what: 'a pipeline',
    source: 'gitlab',
    headers: gitlab('Pipeline Hook'),
    body: {
      object_kind: 'pipeline',
      object_attributes: { id: 31, ref: 'main', status: 'failed', duration: 63 },
      user,
      project,
      commit: { title: 'Fix the countdown' },
      builds: [
        { stage: 'build', name: 'image', status: 'success' },
        { stage: 'test', name: 'unit_tests', status: 'failed' },
      ],
    },
    text: '❌ **[Pipeline #31](https://gitlab.example.com/acme/rocket/-/pipelines/31)**: Failed on `main` after 1 min in [acme/rocket](https://gitlab.example.com/acme/rocket)\n> Fix the countdown\n- ❌ `unit_tests` (test)',
  },
  {
    what: 'a pipeline that runs',
    source: 'gitlab',
    headers: gitlab('Pipeline Hook'),
    body: { object_kind: 'pipeline', object_attributes: { id: 31, status: 'running' }, user, project },
    text: undefined,
  },
  {
    what: 'an event that is not known',
    source: 'gitlab',
    headers: gitlab('Feature Flag Hook'),
    body: { object_kind: 'feature_flag', user, project },
    text: '**Ada Okafor**: feature flag in [acme/rocket](https://gitlab.example.com/acme/rocket)',
  },
]

const alert = {
  status: 'firing',
  labels: { alertname: 'HighLatency', instance: 'web-1', severity: 'critical' },
  annotations: { summary: 'web-1 is slow', description: 'p99 is 3 s for 5 minutes.' },
  startsAt: '2026-01-01T09:52:26.739Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example.com:9090/graph?g0.expr=latency%3E1',
  fingerprint: '1a30ba71cca2921f',
}

const ALERTS: Sample[] = [
  {
    what: 'alerts that fire and one that is resolved',
    source: 'alertmanager',
    body: {
      version: '4',
      groupKey: '{}:{alertname="HighLatency"}',
      truncatedAlerts: 3,
      status: 'firing',
      receiver: 'team',
      groupLabels: { alertname: 'HighLatency' },
      commonLabels: { alertname: 'HighLatency' },
      commonAnnotations: {},
      externalURL: 'http://alertmanager.example.com:9093',
      alerts: [
        alert,
        {
          ...alert,
          status: 'resolved',
          labels: { alertname: 'HighLatency', instance: 'web-2' },
          annotations: {},
        },
      ],
    },
    text: [
      '🔴 **Firing: HighLatency** · 5 alerts',
      '- 🔴 **web-1 is slow** `instance=web-1` `severity=critical`',
      '  p99 is 3 s for 5 minutes.',
      '  [Source](http://prometheus.example.com:9090/graph?g0.expr=latency%3E1)',
      '- ✅ **HighLatency** `instance=web-2`',
      '  [Source](http://prometheus.example.com:9090/graph?g0.expr=latency%3E1)',
      '- and 3 more',
      '',
      '[Alertmanager](http://alertmanager.example.com:9093/)',
    ].join('\n'),
  },
  {
    what: 'an alert that is resolved',
    source: 'alertmanager',
    body: {
      version: '4',
      groupKey: '{}:{}',
      status: 'resolved',
      groupLabels: { job: 'api', zone: 'eu' },
      commonLabels: {},
      alerts: [{ status: 'resolved', labels: { alertname: 'Down' }, annotations: {} }],
    },
    text: '✅ **Resolved: api, eu**\n- ✅ **Down**',
  },
  {
    what: 'alerts',
    source: 'grafana',
    body: {
      receiver: 'My Super Webhook',
      status: 'firing',
      orgId: 1,
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'High memory usage', grafana_folder: 'Ops', team: 'blue' },
          annotations: {
            description: 'The system has high memory usage',
            runbook_url: 'https://myrunbook.com/runbook/1234',
            summary: 'This alert was triggered for zone us-1',
          },
          generatorURL: 'https://play.grafana.org/alerting/1afz29v7z/edit',
          silenceURL: 'https://play.grafana.org/alerting/silence/new?alertmanager=grafana',
          dashboardURL: '',
          panelURL: '',
          values: { B: 44.23943737541908, C: 1 },
        },
      ],
      groupLabels: {},
      commonLabels: { team: 'blue' },
      commonAnnotations: {},
      externalURL: 'https://play.grafana.org/',
      version: '1',
      groupKey: '{}:{}',
      truncatedAlerts: 0,
      title: '[FIRING:1]  (blue)',
      state: 'alerting',
      message: '**Firing** …',
    },
    text: [
      '🔴 **[FIRING:1] (blue)**',
      '- 🔴 **This alert was triggered for zone us-1** `team=blue` `B=44.2394` `C=1`',
      '  The system has high memory usage',
      '  [Source](https://play.grafana.org/alerting/1afz29v7z/edit) · [Silence](https://play.grafana.org/alerting/silence/new?alertmanager=grafana) · [Runbook](https://myrunbook.com/runbook/1234)',
      '',
      '[Grafana](https://play.grafana.org/)',
    ].join('\n'),
  },
]

const SENTRY: Sample[] = [
  {
    what: 'an alert about an event',
    source: 'sentry',
    headers: sentry('event_alert'),
    body: {
      action: 'triggered',
      actor: { id: 'sentry', name: 'Sentry', type: 'application' },
      data: {
        event: {
          title: 'ReferenceError: blooopy is not defined',
          culprit: '?(<anonymous>)',
          level: 'error',
          environment: 'production',
          web_url:
            'https://sentry.io/organizations/acme/issues/1117540176/events/e4874d664c3540c1a32eab185f12c5ab/',
          project: 1,
        },
        triggered_rule: 'Very Important Alert Rule!',
      },
      installation: { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' },
    },
    text: [
      '🔴 **[ReferenceError: blooopy is not defined](https://sentry.io/organizations/acme/issues/1117540176/events/e4874d664c3540c1a32eab185f12c5ab/)**',
      '`?(<anonymous>)` · Environment `production`',
      'Rule: Very Important Alert Rule!',
    ].join('\n'),
  },
  {
    what: 'an issue that is resolved',
    source: 'sentry',
    headers: sentry('issue'),
    body: {
      action: 'resolved',
      actor: { id: 1, name: 'Ada Okafor', type: 'user' },
      data: {
        issue: {
          id: '1170820242',
          shortId: 'ROCKET-7',
          title: "TypeError: Cannot read property 'x' of null",
          culprit: 'launch(rocket)',
          level: 'error',
          web_url: 'https://sentry.io/organizations/acme/issues/1170820242/',
          project: { id: '1', name: 'Rocket', slug: 'rocket' },
        },
      },
    },
    text: "✅ Resolved by **Ada Okafor**: **[TypeError: Cannot read property 'x' of null](https://sentry.io/organizations/acme/issues/1170820242/)** `ROCKET-7`\nProject `rocket` · `launch(rocket)`",
  },
  {
    what: 'an alert about a metric',
    source: 'sentry',
    headers: sentry('metric_alert'),
    body: {
      action: 'critical',
      data: {
        description_text: '1000 events in the last 10 minutes\nFilter: level:error',
        description_title: 'Critical: Too many errors',
        web_url: 'https://sentry.io/organizations/acme/alerts/rules/details/7/',
        metric_alert: { id: '7' },
      },
    },
    text: '🔴 **[Critical: Too many errors](https://sentry.io/organizations/acme/alerts/rules/details/7/)**\n1000 events in the last 10 minutes Filter: level:error',
  },
  {
    what: 'an installation',
    source: 'sentry',
    headers: sentry('installation'),
    body: { action: 'created', data: { installation: { uuid: 'a8e5d37a' } } },
    text: 'Sentry is connected.',
  },
]

const SLACK: Sample[] = [
  {
    what: 'a text with everything',
    source: 'slack',
    body: {
      text: '<!here> *Build failed* in <https://ci.example.com/1?a=1&amp;b=2|job *1*>: ~old~ _new_ `a &lt; b` 5*3*2 :x: <@U024BE7LH|ada> <#C024BE7LR> <!date^1392734382^{date}|Feb 18> &lt;tag&gt; <https://example.com>',
    },
    text: '@here **Build failed** in [job **1**](https://ci.example.com/1?a=1&b=2): ~~old~~ _new_ `a < b` 5*3*2 ❌ @ada #C024BE7LR Feb 18 <tag> https://example.com/',
  },
  {
    what: 'code',
    source: 'slack',
    body: { text: 'Log:\n```*not bold*\n<https://example.com|link>```' },
    text: 'Log:\n\n```\n*not bold*\nlink\n```',
  },
  {
    what: 'blocks',
    source: 'slack',
    body: {
      text: 'Not shown where there are blocks',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'New request :tada:' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*<https://example.com/1|Fred> asks*' },
          accessory: {
            type: 'button',
            text: { type: 'plain_text', text: 'Open' },
            url: 'https://example.com/open',
            action_id: 'open',
          },
        },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: '*Type:*\nPaid time off' },
            { type: 'plain_text', text: 'Stars * stay' },
          ],
        },
        { type: 'divider' },
        {
          type: 'context',
          elements: [
            { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'cat' },
            { type: 'mrkdwn', text: 'Last _updated_' },
          ],
        },
        {
          type: 'image',
          title: { type: 'plain_text', text: 'A chart' },
          image_url: 'https://example.com/c.png',
          alt_text: 'chart',
        },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { type: 'plain_text', text: 'Approve' }, value: 'yes' },
            { type: 'button', text: { type: 'plain_text', text: 'Details' }, url: 'https://example.com/d' },
          ],
        },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Hi ' },
                { type: 'text', text: 'there', style: { bold: true, italic: true } },
                { type: 'link', url: 'https://example.com', text: ' link' },
              ],
            },
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
            },
          ],
        },
      ],
    },
    text: [
      '### New request 🎉',
      '**[Fred](https://example.com/1) asks**\n[Open](https://example.com/open)',
      '**Type:** Paid time off\nStars \\* stay',
      '---',
      '[cat](https://example.com/a.png) Last _updated_',
      '[A chart](https://example.com/c.png)',
      '[Details](https://example.com/d)',
      'Hi **_there_**[ link](https://example.com/)\n- one',
    ].join('\n\n'),
  },
  {
    what: 'attachments',
    source: 'slack',
    body: {
      text: 'Deploy',
      attachments: [
        {
          fallback: 'Not shown',
          color: '#36a64f',
          pretext: 'Look:',
          author_name: 'Ada',
          author_link: 'https://example.com/ada',
          title: 'API',
          title_link: 'https://example.com/api',
          text: 'Is *up*\nagain',
          fields: [{ title: 'Priority', value: 'High', short: false }],
          image_url: 'https://example.com/i.png',
          footer: 'CI',
          ts: 123456789,
        },
        { fallback: 'Only a *fallback*' },
      ],
    },
    text: 'Deploy\n\nLook:\n> [Ada](https://example.com/ada)\n> **[API](https://example.com/api)**\n> Is **up**\n> again\n> **Priority:** High\n> [Image](https://example.com/i.png)\n> _CI_\n\n> Only a \\*fallback\\*',
  },
]

const GENERIC: Sample[] = [
  {
    what: 'fields of whatever kind',
    source: 'generic',
    body: { title: 'Door *open*', count: 3, ok: true, nested: { a: 1 }, list: [1] },
    text: '**title:** Door \\*open\\*\n**count:** 3\n**ok:** true',
  },
]

export const SAMPLES: readonly Sample[] = [...GITHUB, ...GITLAB, ...ALERTS, ...SENTRY, ...SLACK, ...GENERIC]
