// SPDX-License-Identifier: BSD-2-Clause
/*
 * Checks as text:
 *
 *	Tracing
 *	  ok       bpf         tracing programs load
 *	  limited  functions   tracefs is not mounted: functions in BTF are taken for traceable
 *	                       > mount -t tracefs nodev /sys/kernel/tracing
 */
#include "util/view/lists/doctor_view.h"

#include <string.h>

#include "util/base/style.h"
#include "util/base/utf8.h"
#include "util/view/parts/json.h"

#define STATE_COLUMN 2
#define STATE_WIDTH 9
/* Narrower lines are not folded: one word per line reads worse than the terminal's own folding. */
#define MIN_TEXT 30

/* Red marks checks that need action. */
static enum style state_style(const struct check *check)
{
	if (check->state == CHECK_OK)
		return STYLE_GOOD;
	return check->state == CHECK_MISSING && check->weight != WEIGHT_EXTRA ? STYLE_BAD :
										STYLE_DOUBT;
}

static bool is_shown(const struct doctor_view *view, const struct check *check)
{
	return !check->detail || view->verbose;
}

/* Fold between words at the width; the line is at @indent, where further lines begin. */
static void add_folded(struct strbuf *text, const struct doctor_view *view, const char *words,
		       int indent)
{
	bool folds = view->width - indent >= MIN_TEXT;
	int column = indent;

	while (*words) {
		int len = strcspn(words, " "), columns = 0;

		for (int i = 0; i < len; i++)
			columns += !utf8_is_continuation(words[i]);
		if (folds && column > indent && column + 1 + columns > view->width) {
			strbuf_addch(text, '\n');
			strbuf_pad(text, indent, ' ');
			column = indent;
		} else if (column > indent) {
			strbuf_addch(text, ' ');
			column++;
		}
		strbuf_add(text, words, len);
		column += columns;
		words += len + strspn(words + len, " ");
	}
	strbuf_addch(text, '\n');
}

static void add_check(struct strbuf *text, const struct doctor_view *view,
		      const struct check *check, int name_width)
{
	int indent = STATE_COLUMN + STATE_WIDTH + name_width + 2;
	const char *state = check_state_name(check->state);
	struct strbuf sentence = STRBUF_INIT;

	strbuf_pad(text, STATE_COLUMN, ' ');
	style_add(text, view->color, state_style(check), state);
	strbuf_pad(text, STATE_WIDTH - (int)strlen(state), ' ');
	strbuf_addstr(text, check->name);
	strbuf_pad(text, name_width + 2 - (int)strlen(check->name), ' ');

	strbuf_addstr(&sentence, check->finding);
	if (check->effect)
		strbuf_addf(&sentence, ": %s", check->effect);
	add_folded(text, view, strbuf_str(&sentence), indent);
	text->failed |= sentence.failed;
	strbuf_release(&sentence);
	if (check->advice) {
		strbuf_pad(text, indent, ' ');
		strbuf_addstr(text, "> ");
		add_folded(text, view, check->advice, indent + 2);
	}
}

static void add_verdict(struct strbuf *text, const struct diagnosis *diagnosis)
{
	unsigned int needed = 0, wanted = 0;

	vec_foreach(check, &diagnosis->checks) {
		needed += check->state != CHECK_OK && check->weight == WEIGHT_NEEDED;
		wanted += check->state != CHECK_OK && check->weight == WEIGHT_WANTED;
	}
	switch (diagnosis->verdict) {
	case VERDICT_WORKS:
		strbuf_addstr(text, "Tracing works here.\n");
		break;
	case VERDICT_LIMITED:
		strbuf_addf(text, "Tracing works here, with %u limit%s.\n", wanted,
			    wanted == 1 ? "" : "s");
		break;
	case VERDICT_IMPOSSIBLE:
		strbuf_addf(text, "Tracing does not work here, for %u reason%s.\n", needed,
			    needed == 1 ? "" : "s");
		break;
	}
}

void doctor_view_text(struct strbuf *text, const struct doctor_view *view,
		      const struct machine *machine, const struct diagnosis *diagnosis)
{
	const char *group = NULL;
	int name_width = 0;

	vec_foreach(check, &diagnosis->checks) {
		int width = strlen(check->name);

		if (is_shown(view, check) && width > name_width)
			name_width = width;
	}
	if (machine->os.name[0])
		strbuf_addf(text, "%s\n\n", machine->os.name);
	vec_foreach(check, &diagnosis->checks) {
		if (!is_shown(view, check))
			continue;
		if (check->group != group) {
			strbuf_addstr(text, group ? "\n" : "");
			style_add(text, view->color, STYLE_NAME, check->group);
			strbuf_addch(text, '\n');
			group = check->group;
		}
		add_check(text, view, check, name_width);
	}
	strbuf_addch(text, '\n');
	add_verdict(text, diagnosis);
}

void doctor_view_json(struct strbuf *text, const struct machine *machine,
		      const struct diagnosis *diagnosis)
{
	struct json json = JSON_INIT(text);

	vec_foreach(check, &diagnosis->checks) {
		json_object(&json, NULL);
		json_string(&json, "type", "check");
		json_string(&json, "check", check->name);
		json_string(&json, "group", check->group);
		json_string(&json, "state", check_state_name(check->state));
		json_string(&json, "weight", check_weight_name(check->weight));
		json_string(&json, "finding", check->finding);
		json_string(&json, "effect", check->effect);
		json_string(&json, "advice", check->advice);
		json_close(&json);
		strbuf_addch(text, '\n');
		json = (struct json)JSON_INIT(text);
	}
	json_object(&json, NULL);
	json_string(&json, "type", "verdict");
	json_string(&json, "verdict", verdict_name(diagnosis->verdict));
	json_string(&json, "release", machine->release);
	json_string(&json, "arch", machine->arch);
	json_string(&json, "os", machine->os.name[0] ? machine->os.name : NULL);
	json_close(&json);
	strbuf_addch(text, '\n');
}
