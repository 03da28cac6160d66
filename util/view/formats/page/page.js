/*
 * The page of `retsnoop report --format=html`: a list of sessions, and of the one chosen its calls
 * in time and as a tree, its stack and its branches.
 *
 * Data is lines: where the sessions are from; two for each session, what the list needs and the session as
 * --format=json has it, which is parsed when it is looked at; and the ledger of the run. They come in blocks behind the
 * program, and are shown as they come. Lists draw the rows that can be seen, and no others. The number of a session, from 1,
 * is the page's #fragment.
 */
'use strict';
(() => {
const $ = (id) => document.getElementById(id);
const element = (name, className, text) => {
	const node = document.createElement(name);
	if (className)
		node.className = className;
	if (text !== undefined)
		node.textContent = text;
	return node;
};

/*
 * What would turn the text around it, or is not seen, has no place on the page. The program escapes
 * these characters (util/base/utf8.c), and but for "<" no others from 0x20 on; what follows an escaped
 * backslash is no escape.
 */
const parse = (line) => JSON.parse(line.replace(/\\\\|\\ud[89ab]..\\u....|\\u(?!00[013])..../g, (escape) => escape === '\\\\' ? escape : '\ufffd'));
const sessions = [];	/* { head, line, nr, text: what is searched, once it is needed } */
let origin = null;
let coming = true;	/* there may be more data */

/* Three digits, as span_add() has them (util/view/parts/times.c). */
const digits = (ns, scale) => {
	const decimals = ns < 9.995 * scale ? 2 : ns < 99.95 * scale ? 1 : 0, step = scale / 10 ** decimals;

	return (Math.round(ns / step) / 10 ** decimals).toFixed(decimals);
};

/* From a millisecond on in the unit that fits, unless --time-unit=us asked for microseconds. */
const duration = (ns) => {
	if (ns === null || ns === undefined)
		return '';
	if (ns < 1e6 || origin?.time_unit === 'us')
		return (ns / 1e3).toFixed(3) + 'us';
	return ns < 999.5e6 ? digits(ns, 1e6) + 'ms' : digits(ns, 1e9) + 's';
};

/* On the scale: "200us", not "200.000us". */
const tick = (ns) => ns >= 1e9 ? ns / 1e9 + 's' : ns >= 1e6 ? ns / 1e6 + 'ms' : ns >= 1e3 ? ns / 1e3 + 'us' : ns + 'ns';

/* As text has it, without brackets. */
const result = (call) => call.shown.slice(1, -1);

/* Rows of one height in a box that scrolls; only those that can be seen are in the document. */
class Rows {
	constructor(box, height, draw, role) {
		this.box = box;
		this.holder = box.querySelector('.rows');
		this.height = height;
		this.draw = draw;
		this.role = role;
		this.count = 0;
		this.current = -1;
		box.addEventListener('scroll', () => this.render());
		new ResizeObserver(() => this.render()).observe(box);
	}
	set(count, current) {
		this.count = count;
		this.current = current;
		this.holder.style.height = count * this.height + 'px';
		this.box.style.setProperty('--rows', count * this.height + 'px');
		this.render();
	}
	render() {
		const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 4);
		const last = Math.min(this.count, first + Math.ceil(this.box.clientHeight / this.height) + 9);
		const nodes = [];
		for (let i = first; i < last; i++) {
			const node = this.draw(i);
			node.classList.add('row');
			node.style.top = i * this.height + 'px';
			node.dataset.index = i;
			node.id = this.box.id + '-' + i;
			node.setAttribute('role', this.role);
			node.setAttribute('aria-posinset', i + 1);
			node.setAttribute('aria-setsize', this.count);
			if (i === this.current) {
				node.classList.add('on');
				node.setAttribute('aria-selected', 'true');
			}
			nodes.push(node);
		}
		this.holder.replaceChildren(...nodes);
		if (this.current >= 0)
			this.box.setAttribute('aria-activedescendant', this.box.id + '-' + this.current);
	}
	move(to) {
		this.current = to;
		const top = to * this.height;
		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top + this.height > this.box.scrollTop + this.box.clientHeight)
			this.box.scrollTop = top + this.height - this.box.clientHeight;
		this.render();
	}
	static index(event) {
		const row = event.target.closest('.row');
		return row ? Number(row.dataset.index) : -1;
	}
}

/* The calls of a session as a tree; `calls` of the JSON in order. */
function build(session) {
	const nodes = [], open = [];
	const close = (depth, time) => {
		while (open.length && open[open.length - 1].depth >= depth)
			open.pop().over = time;
	};
	for (const call of session.calls || []) {
		if (call.kind === 'return') {
			close(call.depth + 1, call.time_ns);
			const node = open[open.length - 1];
			/* Without a duration it may be another call's, which began in a gap. */
			if (node && node.depth === call.depth && call.duration_ns !== null) {
				open.pop();
				node.end = call.time_ns;
				node.duration = call.duration_ns;
				node.failed = call.failed;
				node.result = result(call);
				if (node.start === null && call.duration_ns !== null)
					node.start = call.time_ns - call.duration_ns;
				continue;
			}
		}
		close(call.depth, call.time_ns);
		const parent = open[open.length - 1] || null;
		const node = {
			kind: call.kind, depth: call.depth, parent, children: 0, folded: false,
			name: call.function || call.probe || `${call.count === null ? 'some' : call.count} ${call.kind}`,
			module: call.module || null, args: call.args || null, text: call.text || null,
			start: call.time_ns, end: null, over: null, duration: null, failed: false, result: null,
		};
		if (call.kind === 'leaf' || call.kind === 'return') {
			node.end = call.time_ns;
			node.duration = call.duration_ns;
			node.start = call.duration_ns === null ? call.time_ns : call.time_ns - call.duration_ns;
			node.failed = call.failed;
			node.result = result(call);
		}
		if (parent)
			parent.children++;
		nodes.push(node);
		if (call.kind === 'call')
			open.push(node);
	}
	return nodes;
}

/* The chart: time to the right, nesting downward. */
const chart = {
	canvas: $('flame'), spans: [], levels: [], from: 0, to: 1, begin: 0, finish: 1, chosen: null,
	rowHeight: 18,

	load(session, nodes) {
		this.begin = session.start_ns;
		this.finish = Math.max(session.end_ns, session.start_ns + 1);
		this.levels = [];
		for (const node of nodes) {
			if (node.start === null || !['call', 'leaf', 'return', 'probe'].includes(node.kind))
				continue;
			const end = node.kind === 'probe' ? node.start : node.end ?? node.over ?? this.finish;
			(this.levels[node.depth] = this.levels[node.depth] || []).push({ node, start: node.start, end });
		}
		this.chosen = null;
		this.whole();
	},
	whole() {
		this.from = this.begin;
		this.to = this.finish;
		this.draw();
	},
	show(from, to) {
		const least = 10, length = Math.min(Math.max(to - from, least), this.finish - this.begin);
		this.from = Math.min(Math.max(from, this.begin), this.finish - length);
		this.to = this.from + length;
		this.draw();
	},
	zoom(factor, at) {
		const middle = at === undefined ? (this.from + this.to) / 2 : at;
		this.show(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
	},
	pan(part) {
		const by = (this.to - this.from) * part;
		this.show(this.from + by, this.to + by);
	},
	time(x) {
		return this.from + (this.to - this.from) * x / this.canvas.clientWidth;
	},
	draw() {
		const canvas = this.canvas, scale = window.devicePixelRatio || 1;
		const width = canvas.clientWidth, levels = Math.max(1, this.levels.length);
		const height = levels * this.rowHeight + 18;
		canvas.style.height = height + 'px';
		canvas.width = Math.max(1, width * scale);
		canvas.height = height * scale;
		const style = getComputedStyle(document.documentElement);
		const colour = (name) => style.getPropertyValue(name).trim();
		const colours = { call: colour('--call'), alt: colour('--call-alt'), bad: colour('--call-bad'), ink: colour('--call-ink'),
			dim: colour('--dim'), focus: colour('--focus'), probe: colour('--probe') };
		const paint = canvas.getContext('2d');
		paint.scale(scale, scale);
		paint.clearRect(0, 0, width, height);
		paint.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
		paint.textBaseline = 'middle';
		this.scaleLine(paint, width, colours.dim);
		const perNs = width / (this.to - this.from);
		for (let depth = 0; depth < this.levels.length; depth++)
			this.drawLevel(paint, depth, width, perNs, colours);
	},
	scaleLine(paint, width, colour) {
		const span = this.to - this.from;
		let step = 10 ** Math.floor(Math.log10(span / 6));
		for (const factor of [1, 2, 5, 10])
			if (span / (step * factor) <= 8) {
				step *= factor;
				break;
			}
		paint.fillStyle = colour;
		for (let t = Math.ceil((this.from - this.begin) / step) * step; t <= this.to - this.begin; t += step) {
			const x = (t + this.begin - this.from) * width / span, text = tick(Number(t.toPrecision(12)));
			paint.fillRect(x, 0, 1, 4);
			if (x + 3 + paint.measureText(text).width <= width)
				paint.fillText(text, x + 3, 9);
		}
	},
	drawLevel(paint, depth, width, perNs, colours) {
		const level = this.levels[depth] || [], y = 18 + depth * this.rowHeight;
		let low = 0, high = level.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (level[middle].end < this.from)
				low = middle + 1;
			else
				high = middle;
		}
		const charWidth = paint.measureText('0').width;
		let edge = -1;	/* what is less than a pixel wide is drawn once a pixel, failing ones always */
		for (let i = low; i < level.length && level[i].start <= this.to; i++) {
			const { node, start, end } = level[i];
			const x = Math.max(0, (start - this.from) * perNs);
			const right = Math.min(width, (end - this.from) * perNs);
			if (right - x < 1 && x < edge && !node.failed && node !== this.chosen)
				continue;
			edge = Math.max(right, x + 1);
			if (node.kind === 'probe') {
				paint.fillStyle = node === this.chosen ? colours.focus : colours.probe;
				paint.fillRect(x - 1, y, node === this.chosen ? 4 : 2, this.rowHeight - 1);
				continue;
			}
			paint.fillStyle = node.failed ? colours.bad : depth % 2 ? colours.alt : colours.call;
			paint.fillRect(x, y, Math.max(1, right - x - 0.5), this.rowHeight - 1);
			if (node === this.chosen) {
				paint.strokeStyle = colours.focus;
				paint.lineWidth = 2;
				paint.strokeRect(x + 1, y + 1, Math.max(1, right - x - 2.5), this.rowHeight - 3);
			}
			if (right - x > 30) {
				paint.fillStyle = colours.ink;
				const room = Math.floor((right - x - 6) / charWidth);
				const name = node.name.length > room ? node.name.slice(0, Math.max(0, room - 1)) + '…' : node.name;
				paint.fillText(name, x + 3, y + this.rowHeight / 2);
			}
		}
	},
	at(event) {
		const box = this.canvas.getBoundingClientRect();
		if (event.clientX < box.left || event.clientX >= box.right)
			return null;
		const depth = Math.floor((event.clientY - box.top - 18) / this.rowHeight);
		const time = this.time(event.clientX - box.left), slack = (this.to - this.from) / box.width * 2;
		let near = null;
		for (const span of this.levels[depth] || []) {
			if (span.start <= time && time <= span.end)
				return span.node;
			if (!near && span.start - slack <= time && time <= span.end + slack)
				near = span.node;
		}
		return near;
	},
	/* The lines above and below the call into what can be seen of a deep chart. */
	reveal(node) {
		const box = this.canvas.parentNode, top = 18 + node.depth * this.rowHeight;
		if (top < box.scrollTop + 18)
			box.scrollTop = top - 18;
		else if (top + this.rowHeight > box.scrollTop + box.clientHeight)
			box.scrollTop = top + this.rowHeight - box.clientHeight;
	},
};

/* All that is known of a call, into a box. */
function tell(box, node) {
	box.replaceChildren(element('b', node.failed ? 'bad' : node.kind === 'probe' ? 'probe' : '', node.name));
	if (node.module)
		box.append(` [${node.module}]`);
	if (node.result !== null)
		box.append(' ', element('span', node.failed ? 'bad' : '', `[${node.result}]`));
	else if (node.kind === 'call')
		box.append(' ', element('span', 'dim', 'its return was not seen'));
	if (node.duration !== null)
		box.append('  ' + duration(node.duration));
	if (node.text)
		box.append(element('div', '', node.text));
	for (const [name, value] of Object.entries(node.args || {}))
		box.append(element('div', 'dim', `${name} = ${value}`));
}

function about(node) {
	if (node)
		tell($('about'), node);
	else
		$('about').replaceChildren(element('span', 'dim', 'Choose a call to see all of it. The wheel zooms, dragging moves.'));
}

/* The same beside the mouse, and never out of the window. */
function tip(node, event) {
	const box = $('tip');
	box.hidden = !node;
	if (!node)
		return;
	tell(box, node);
	box.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8)) + 'px';
	const below = event.clientY + 18;
	box.style.top = (below + box.offsetHeight < window.innerHeight ? below : Math.max(4, event.clientY - box.offsetHeight - 10)) + 'px';
}

let nodes = [], shown = [];	/* calls of the session, and those that no fold hides */
let indent = 14;	/* pixels a level */
const tree = new Rows($('tree'), 20, (i) => {
	const node = shown[i], row = element('div');
	const name = element('span', 'name' + (node.failed ? ' bad' : '') + (node.kind === 'probe' ? ' probe' : ''));
	name.style.paddingLeft = node.depth * indent + 4 + 'px';
	name.append(element('span', 'twist', node.children ? (node.folded ? '▸' : '▾') : node.kind === 'probe' ? '◎' : ''), node.name);
	if (node.module)
		name.append(element('span', 'dim', ` [${node.module}]`));
	const values = node.text || Object.entries(node.args || {}).map(([key, value]) => `${key}=${value}`).join('  ');
	row.append(name, element('span', 'values', values),
		   element('span', 'result' + (node.failed ? ' bad' : ''), node.result === null ? '' : `[${node.result}]`),
		   element('span', 'number', duration(node.duration)));
	if (hit(node.name) || hit(values))
		row.classList.add('hit');
	if (values)
		row.title = Object.entries(node.args).map(([key, value]) => `${key} = ${value}`).join('\n');
	row.setAttribute('aria-level', node.depth + 1);
	if (node.children)
		row.setAttribute('aria-expanded', String(!node.folded));
	return row;
}, 'treeitem');

/* The list of calls that are not inside a folded one. */
function unfolded(chosen) {
	let hiddenBelow = Infinity;
	shown = nodes.filter((node) => {
		if (node.depth > hiddenBelow)
			return false;
		hiddenBelow = node.folded ? node.depth : Infinity;
		return true;
	});
	for (; chosen && !shown.includes(chosen); chosen = chosen.parent)
		;
	tree.set(shown.length, chosen ? shown.indexOf(chosen) : -1);
}

function choose(node) {
	for (let up = node.parent; up; up = up.parent)
		up.folded = false;
	unfolded(node);
	tree.move(shown.indexOf(node));
	chart.chosen = node;
	chart.draw();
	chart.reveal(node);
	about(node);
}

function zoomTo(node) {
	if (node.start === null)
		return;
	const end = node.end === null ? chart.finish : node.end, margin = Math.max(10, (end - node.start) * 0.05);
	chart.show(node.start - margin, end + margin);
}

function cells(row, values) {
	for (const [className, value] of values) {
		const cell = element('td', className);
		if (value instanceof Node)
			cell.append(value);
		else
			cell.textContent = value;
		row.append(cell);
	}
	return row;
}

const place = (frame) => frame && frame.file ? `(${frame.file}:${frame.line}${frame.column ? ':' + frame.column : ''})` : '';
const offset = (symbol, by) => by === undefined || by === null ? symbol : `${symbol}+0x${by.toString(16)}`;

function stackTable(rows) {
	const table = element('table');
	for (const row of rows) {
		const frames = row.frames || [], own = frames[0];
		const symbol = row.symbol ? offset(row.symbol, row.on_stack ? row.offset : null) : row.addr;
		const known = row.traced && row.finished;
		const mark = (row.traced && !row.on_stack ? '!' : '') + (row.stitched ? '*' : '') + (row.tracing ? '~' : '');
		table.append(cells(element('tr', known && row.failed ? 'failed' : ''), [
			['dim', mark], ['number', known ? duration(row.duration_ns) : row.traced ? '...' : ''],
			[known && row.failed ? 'bad' : '', known ? `[${result(row)}]` : ''],
			[hit(symbol) ? 'hit' : '', symbol + (row.module ? ` [${row.module}]` : '')], ['dim', place(own)],
		]));
		if (mark)
			table.lastChild.firstChild.title = [row.traced && !row.on_stack ? '!  traced, but no longer on the stack that was taken' : '',
				row.stitched ? '*  of a deeper call that had failed before' : '', row.tracing ? '~  of tracing itself' : ''].filter((line) => line).join('\n');
		for (const inlined of frames.slice(1))
			table.append(cells(element('tr'), [['', ''], ['', ''], ['', ''], ['', '. ' + (inlined.function || '?')], ['dim', place(inlined)]]));
	}
	return table;
}

const stack = (session) => session.stack && session.stack.length ? stackTable(session.stack) : null;

function end(side) {
	const box = element('div');
	const frames = side.frames || [];
	box.append(element('div', '', (side.symbol ? offset(side.symbol, side.offset) : side.addr) + (side.module ? ` [${side.module}]` : '') + ' ' + place(frames[0])));
	for (const inlined of frames.slice(1))
		box.append(element('div', 'dim', '. ' + (inlined.function || '?') + ' ' + place(inlined)));
	return box;
}

function branches(session) {
	if (!session.branches || !session.branches.length)
		return session.branches_missing ? element('div', 'dim', `There are no branches: ${session.branches_missing_text || session.branches_missing}.`) : null;
	const table = element('table');
	for (const branch of session.branches.filter((one) => !one.blank))
		table.append(cells(element('tr'), [['dim', branch.nr === null ? '' : `[#${String(branch.nr).padStart(2, '0')}]`], ['', end(branch.from)], ['dim', '→'], ['', end(branch.to)],
			['dim', [branch.interrupt && 'interrupt', branch.times > 1 && `${branch.times} times`, branch.mispredicted && 'mispredicted',
				 branch.tracing && 'of tracing', branch.duplicate && 'again'].filter((word) => word).join(', ')]]));
	return table;
}

const spot = (at) => at && at.file ? `${at.file}:${at.line}` : at ? offset(at.symbol || at.addr, at.symbol ? at.offset : null) : '';

/* Where a branch led, as the text has it (util/view/session/decision_view.c). */
function ledTo(decision) {
	const { from, to } = decision, skipped = decision.not_reached, remarks = [];
	if (!to || (decision.kind === 'branch_not_taken' && (!to.file || (to.file === from.file && to.line === from.line))))
		return '';
	const merged = to.file && (!to.line || (decision.to_merged && to.line <= from.line));
	if (decision.to_merged && to.line > from.line)
		remarks.push('merged with others');
	if (skipped)
		remarks.push(skipped.first === skipped.last ? `line ${skipped.first} not reached` : `lines ${skipped.first}-${skipped.last} not reached`);
	return '→ ' + (merged ? 'code merged from several lines' : spot(to)) +
		(to.function && from.function && to.function !== from.function ? ` in ${to.function}` : '') +
		(remarks.length ? ` (${remarks.join('; ')})` : '');
}

/* What the branches tell of why it failed. */
function why(session) {
	const decision = session.decision;
	if (!decision)
		return null;
	const box = element('div'), line = (...parts) => box.append(Object.assign(element('div'), { textContent: parts.filter((part) => part).join(' ') }));
	const likely = decision.likely ? 'likely' : '';
	box.append(element('div', 'bad', `${decision.function} returned ${result(decision)}`));
	for (const callee of decision.handed_on_from || [])
		line(likely, 'from', callee.function || callee.symbol, callee.call ? `called at ${spot(callee.call)}` : '');
	const words = { branch_taken: 'branch taken at', branch_not_taken: 'branch not taken at', set: 'set at',
		read: 'read from memory at', computed: 'computed, without a branch, at', selected: 'decided, without a branch, at' };
	if (words[decision.kind] && decision.from) {
		line(likely, words[decision.kind], spot(decision.from), decision.from.inlined && decision.from.function ? `in ${decision.from.function}` : '',
		     ledTo(decision));
		if (decision.tested_result_of)
			line('on what', decision.tested_result_of, 'returned');
		if (decision.tested_read_at)
			line('on what was read at', spot(decision.tested_read_at));
	}
	if (decision.kind === 'unknown')
		line('what decided that is not known:', decision.reason);
	else if (decision.reason)
		line(`(${decision.reason})`);
	for (const step of decision.went_up_through || [])
		line(step.changed ? `likely became ${result(step)} in` : 'went up through', step.function, step.call ? `(${spot(step.call)})` : '');
	return box;
}

function part(name, content) {
	$('part-' + name).hidden = !content;
	if (content instanceof Node)
		$(name).replaceChildren(content);
}

/* Whose call it was, where that is known; a path that says no more than its unit is left out. */
function owner(data) {
	const named = ['pod', 'container', 'unit'].filter((key) => data[key]).map((key) => `${key} ${data[key]}`);
	if (!named.length && data.cgroup && data.cgroup !== '/')
		named.push(`cgroup ${data.cgroup}`);
	if (data.outsider)
		named.push('from outside of the container');
	if (data.trace_id)
		named.push(`trace ${data.trace_id}`, `span ${data.span_id}`);
	return named.map((text) => ` · ${text}`).join('');
}

/* The entry call's, as the tree has it; of one that goes on, up to its error. */
const took = (head) => head.duration_ns ?? head.end_ns - head.start_ns;

function open(session) {
	const head = session.head, data = parse(session.line), title = $('title'), link = element('a', 'dim', `#${session.nr}`);
	link.href = '#' + session.nr;
	link.title = 'a link to this session';
	title.replaceChildren(link, ' ', element('b', head.failed ? 'bad' : '', `${head.entry} ${head.result}`), ` ${duration(took(head))} `,
		element('div', 'dim', `${data.start} · ${head.host ? `${head.host} · ` : ''}${head.comm} · TID/PID ${head.tid}/${head.pid}` +
			owner(data) + (head.context === 'task' ? '' : ` · ${head.context}`) + (head.interim ? ' · not over yet' : '') +
			(data.calls_too_deep ? ` · ${data.calls_too_deep} deeper calls not kept` : '')));
	$('empty').hidden = true;
	tip(null);
	nodes = build(data);
	part('why', why(data));
	part('flame', nodes.length > 0);
	part('tree', nodes.length > 0);
	part('stack', stack(data));
	part('branches', branches(data));
	$('tree').style.height = Math.min(nodes.length * 20 + 2, Math.max(200, window.innerHeight * 0.46)) + 'px';
	/* However deep they are, there is room for their names. */
	indent = Math.min(14, 0.4 * $('tree').clientWidth / nodes.reduce((deepest, node) => Math.max(deepest, node.depth), 1));
	about(null);
	unfolded(null);
	$('tree').scrollTop = $('parts').scrollTop = $('flame').parentNode.scrollTop = 0;
	if (nodes.length)
		chart.load(data, nodes);
	address(session.nr);
}

let matching = [];	/* indexes into sessions */
let only = null;	/* the head of a session: those alone whose error came from the same place */
const number = (n) => n.toLocaleString('en');
const plural = (n) => `${number(n)} session${n === 1 ? '' : 's'}`;
const list = new Rows($('list'), 40, (i) => {
	const { head } = sessions[matching[i]], row = element('div');
	const first = element('div');
	first.append(element('span', 'name', ''), element('span', 'dim', duration(took(head))));
	first.firstChild.append(element('span', head.failed ? 'bad' : '', head.result), ` ${head.producer}`);
	row.append(first, element('div', 'dim', `${head.start.slice(11, 26)}  ${head.host ? `${head.host}  ` : ''}${head.comm}/${head.tid}  ${head.entry === head.producer ? '' : head.entry}`));
	return row;
}, 'option');

function select(i) {
	if (i < 0 || i >= matching.length)
		return;
	list.move(i);
	open(sessions[matching[i]]);
}

/* Browsers do not want it changed with every key. */
let addressTimer = 0;
function address(nr) {
	clearTimeout(addressTimer);
	addressTimer = setTimeout(() => {
		if (location.hash !== '#' + nr)
			history.replaceState(null, '', '#' + nr);
	}, 200);
}

/* The session that the address names, whatever was searched for. */
function followAddress() {
	const i = Number(location.hash.slice(1)) - 1;
	if (!(i in sessions))
		return;
	if (!matching.includes(i)) {
		$('search').value = '';
		$('failing').checked = false;
		only = null;
		search();
	}
	select(matching.indexOf(i));
}

let words = [];	/* searched for, in lower case */
const hit = (text) => words.length > 0 && text !== null && words.some((word) => text.toLowerCase().includes(word));

/* What a session is found by: names, values and results, not what JSON calls them. */
const unsearched = new Set(['type', 'start', 'end', 'context', 'kind', 'returns', 'start_ns', 'end_ns', 'time_ns', 'duration_ns', 'depth', 'offset',
	'nr', 'times', 'cycles', 'calls_too_deep', 'line', 'column', 'tid', 'pid', 'result', 'errno', 'count']);
function texts(value, found) {
	for (const [key, inside] of Object.entries(value)) {
		if (inside !== null && typeof inside === 'object') {
			if (key === 'args')
				for (const [name, text] of Object.entries(inside))
					found.push(`${name}=${text}`);
			else
				texts(inside, found);
		} else if (key === 'file') {
			found.push(place(value));
		} else if (key === 'shown') {
			found.push(`[${result(value)}]`);
		} else if (typeof inside === 'string' && !unsearched.has(key)) {
			found.push(inside);
		}
	}
}
function textOf(session) {
	if (session.text === null) {
		const { head } = session, found = [head.result, `${head.comm}/${head.tid}`, `${head.tid}/${head.pid}`,
			head.entry, head.start, head.context];
		texts(parse(session.line), found);
		session.text = found.join('\n').toLowerCase();
	}
	return session.text;
}

/* While nobody searches, texts are made for when somebody does. */
function prepare(from) {
	const until = performance.now() + 8;
	let i = from;
	while (i < sessions.length && performance.now() < until)
		textOf(sessions[i++]);
	if (i < sessions.length)
		setTimeout(prepare, 20, i);
}

const sameOrigin = (one, other) => one.failed && other.failed && one.producer === other.producer && one.produced === other.produced;

/* Of equal ones the earlier first. */
const text = (a, b) => a < b ? -1 : a > b ? 1 : 0;
const orders = {
	time: (a, b) => a - b,
	duration: (a, b) => took(sessions[b].head) - took(sessions[a].head) || a - b,
	producer: (a, b) => text(sessions[a].head.producer, sessions[b].head.producer) || text(sessions[a].head.produced, sessions[b].head.produced) || a - b,
};

function nextOrder() {
	$('sort').selectedIndex = ($('sort').selectedIndex + 1) % $('sort').length;
	search();
}

/* Where the errors of all sessions came from, those that most came from first. */
function producers() {
	const rows = new Map();
	for (const { head } of sessions) {
		if (!head.failed)
			continue;
		const key = `${head.producer}\n${head.produced}`;
		if (!rows.has(key))
			rows.set(key, { head, count: 0 });
		rows.get(key).count++;
	}
	return [...rows.values()].sort((a, b) => b.count - a.count || text(a.head.producer, b.head.producer) || text(a.head.produced, b.head.produced));
}

function overview() {
	const table = $('producers').querySelector('table'), rows = producers(), most = 1000;
	const head = element('tr');
	head.append(...['Producer', 'Returned', 'Sessions', ''].map((name) => element('th', '', name)));
	table.replaceChildren(head, ...rows.slice(0, most).map((row) => {
		const show = element('button', '', 'show');
		show.type = 'button';
		show.addEventListener('click', () => {
			$('producers').close();
			only = row.head;
			$('search').value = '';
			search();
			$('list').focus();
		});
		return cells(element('tr'), [['mono', row.head.producer], ['mono bad', row.head.produced], ['number', number(row.count)], ['', show]]);
	}));
	if (!rows.length)
		table.replaceChildren(cells(element('tr'), [['dim', 'No session failed.']]));
	else if (rows.length > most)
		table.append(cells(element('tr'), [['dim', `${number(rows.length - most)} more are not listed.`]]));
	$('producers').showModal();
}

/* Those of the sessions from @from on that are searched for join the others. */
function match(from) {
	const failing = $('failing').checked;
	for (let i = from; i < sessions.length; i++) {
		const session = sessions[i];
		if ((failing && !session.head.failed) || (only && !sameOrigin(only, session.head)))
			continue;
		if (!words.length || words.every((word) => textOf(session).includes(word)))
			matching.push(i);
	}
	if (!from || $('sort').value !== 'time')
		matching.sort(orders[$('sort').value]);
	const all = plural(sessions.length) + (coming ? ' so far' : '');
	$('count').textContent = matching.length === sessions.length ? all : `${number(matching.length)} of ${all}`;
}

function search() {
	words = $('search').value.toLowerCase().split(/\s+/).filter((word) => word);
	const chosen = list.current >= 0 ? matching[list.current] : -1;
	matching = [];
	match(0);
	$('only').hidden = !only;
	$('only').textContent = only ? `✕ ${only.produced} ${only.producer}` : '';
	list.set(matching.length, -1);
	$('list').scrollTop = 0;
	if (matching.length) {
		select(Math.max(0, matching.indexOf(chosen)));
		return;
	}
	nodes = [];
	for (const name of ['why', 'flame', 'tree', 'stack', 'branches'])
		$('part-' + name).hidden = true;
	$('title').replaceChildren();
	$('empty').textContent = sessions.length ? 'No session matches.' : 'There are no sessions: no call was kept.';
	$('empty').hidden = coming;
}

function theme(name) {
	document.documentElement.dataset.theme = name;
	if (nodes.length)
		chart.draw();
}
let themeChosen = false;	/* by the user; the system's does not count any more */
const otherTheme = () => {
	themeChosen = true;
	theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
};

function nextError() {
	const at = tree.current >= 0 ? nodes.indexOf(shown[tree.current]) : -1;
	for (let i = 1; i <= nodes.length; i++) {
		const node = nodes[(at + i) % nodes.length];
		if (node.failed) {
			choose(node);
			return;
		}
	}
}

/* Nothing but the way to what failed. */
function onlyErrors() {
	const leads = new Set();
	for (const node of nodes)
		if (node.failed)
			for (let up = node.parent; up && !leads.has(up); up = up.parent)
				leads.add(up);
	for (const node of nodes)
		node.folded = node.children > 0 && !leads.has(node);
	unfolded(null);
}

function foldAll(folded) {
	for (const node of nodes)
		node.folded = folded && node.children > 0;
	unfolded(null);
}

function treeKey(key) {
	const node = shown[tree.current];
	if (key === 'ArrowDown' || key === 'ArrowUp') {
		const to = tree.current + (key === 'ArrowDown' ? 1 : -1);
		if (to >= 0 && to < shown.length)
			choose(shown[to]);
	} else if (node && key === 'ArrowRight') {
		if (node.folded) {
			node.folded = false;
			unfolded(node);
		} else if (node.children) {
			choose(shown[tree.current + 1]);
		}
	} else if (node && key === 'ArrowLeft') {
		if (node.children && !node.folded) {
			node.folded = true;
			unfolded(node);
		} else if (node.parent) {
			choose(node.parent);
		}
	} else if (node && key === 'Enter') {
		zoomTo(node);
	} else if (key === 'Home' || key === 'End') {
		if (shown.length)
			choose(shown[key === 'Home' ? 0 : shown.length - 1]);
	} else {
		return false;
	}
	return true;
}

function listKey(key) {
	const page = Math.max(1, Math.floor($('list').clientHeight / 40) - 1), last = matching.length - 1;
	const to = { ArrowDown: list.current + 1, ArrowUp: list.current - 1, PageDown: Math.min(last, list.current + page),
		PageUp: Math.max(0, list.current - page), Home: 0, End: last }[key];
	if (to !== undefined)
		select(to);
	else if (key === 'Enter' && nodes.length)
		$('tree').focus();
	else
		return false;
	return true;
}

function anyKey(key) {
	const actions = {
		'/': () => $('search').focus(), n: () => select(list.current + 1), p: () => select(list.current - 1),
		'+': () => chart.zoom(0.5), '=': () => chart.zoom(0.5), '-': () => chart.zoom(2), 0: () => chart.whole(),
		x: nextError, t: otherTheme, o: overview, s: nextOrder, '?': () => $('help').showModal(), Escape: () => $('list').focus(),
	};
	if (!actions[key])
		return false;
	actions[key]();
	return true;
}

document.addEventListener('keydown', (event) => {
	const at = document.activeElement;
	if (event.ctrlKey || event.metaKey || event.altKey || $('help').open || $('producers').open)
		return;
	if (at === $('search')) {
		if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') {
			event.preventDefault();
			$('list').focus();
		}
		return;
	}
	if (at === $('sort') && event.key !== 'Escape')
		return;
	let done = false;
	if (at === $('tree'))
		done = treeKey(event.key);
	else if (at === $('list'))
		done = listKey(event.key);
	else if (at === $('flame') && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
		chart.pan(event.key === 'ArrowLeft' ? -0.2 : 0.2);
		done = true;
	}
	if (done || anyKey(event.key))
		event.preventDefault();
});

/* Text that was marked to be copied stays marked. */
const marking = () => String(getSelection()) !== '';
$('list').addEventListener('click', (event) => marking() || select(Rows.index(event)));
$('tree').addEventListener('click', (event) => {
	const node = shown[Rows.index(event)];
	if (!node || marking())
		return;
	if (event.target.classList.contains('twist') && node.children) {
		node.folded = !node.folded;
		unfolded(node);
		return;
	}
	choose(node);
});
$('tree').addEventListener('dblclick', (event) => {
	const node = shown[Rows.index(event)];
	if (node)
		zoomTo(node);
});

let drag = null;
$('flame').addEventListener('pointerdown', (event) => {
	drag = { x: event.clientX, y: event.clientY, top: $('flame').parentNode.scrollTop, from: chart.from, to: chart.to, moved: false };
	tip(null);
	$('flame').setPointerCapture(event.pointerId);
});
$('flame').addEventListener('pointermove', (event) => {
	if (!drag) {
		tip(chart.at(event), event);
		return;
	}
	const by = (drag.x - event.clientX) * (drag.to - drag.from) / $('flame').clientWidth;
	drag.moved = drag.moved || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 3;
	if (drag.moved) {
		chart.show(drag.from + by, drag.to + by);
		$('flame').parentNode.scrollTop = drag.top + drag.y - event.clientY;
	}
});
$('flame').addEventListener('pointerleave', () => tip(null));
$('flame').addEventListener('pointerup', (event) => {
	const node = chart.at(event);
	if (drag && !drag.moved && node)
		choose(node);
	drag = null;
});
$('flame').addEventListener('dblclick', (event) => {
	const node = chart.at(event);
	if (node)
		zoomTo(node);
});
$('flame').addEventListener('wheel', (event) => {
	event.preventDefault();
	if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
		chart.pan((event.deltaX || event.deltaY) / 800);
	else
		chart.zoom(event.deltaY > 0 ? 1.25 : 0.8, chart.time(event.clientX - $('flame').getBoundingClientRect().left));
}, { passive: false });

$('search').addEventListener('input', search);
$('failing').addEventListener('change', search);
$('sort').addEventListener('change', search);
$('overview').addEventListener('click', overview);
$('only').addEventListener('click', () => {
	only = null;
	search();
});
$('theme').addEventListener('click', otherTheme);
$('keys').addEventListener('click', () => $('help').showModal());
$('whole').addEventListener('click', () => chart.whole());
$('errors').addEventListener('click', onlyErrors);
$('unfold').addEventListener('click', () => foldAll(false));
$('fold').addEventListener('click', () => foldAll(true));
new ResizeObserver(() => nodes.length && chart.draw()).observe($('parts'));

/* When, where and by which command. */
function tellOrigin() {
	const box = $('origin'), where = [origin.start, origin.host, [origin.release && 'Linux ' + origin.release, origin.machine].filter((word) => word).join(' '), origin.tool];
	box.append(where.filter((word) => word).join(' · '));
	if (origin.command_line)
		box.append(element('code', '', origin.command_line));
	box.title = box.textContent;
	box.hidden = false;
}

/* What the run may have missed, as it was said at its end. */
function tellLedger(ledger) {
	const box = $('ledger'), [first, ...more] = ledger.text;
	box.classList.toggle('lost', ledger.missed === 'some');
	box.append(element('div', ledger.missed === 'some' ? 'bad' : '', first));
	if (more.length) {
		box.append(element('ul'));
		box.lastChild.append(...more.map((line) => element('li', '', line.trim())));
	}
	box.hidden = false;
}

/* The session that the page was opened for. */
const wanted = Number(location.hash.slice(1)) - 1;

/* Sessions have come: those before keep their places, but in another order than time's. */
function join(from) {
	const chosen = list.current >= 0 ? matching[list.current] : -1;
	match(from);
	list.set(matching.length, chosen < 0 ? -1 : matching.indexOf(chosen));
	if (chosen >= 0 || !matching.length)
		return;
	if (matching.includes(wanted))
		select(matching.indexOf(wanted));
	else if (!(wanted >= 0) || !coming)
		select(0);
}

/* A block of data, in the element before @script; both are of no use afterwards. */
window.take = (script) => {
	const data = script.previousElementSibling, from = sessions.length;
	let head = null;
	for (const line of data.textContent.split('\n')) {
		if (head) {
			sessions.push({ head, line, nr: sessions.length + 1, text: null });
			head = null;
		} else if (line.startsWith('{"type":"page"')) {
			origin = parse(line);
			tellOrigin();
		} else if (line.startsWith('{"type":"ledger"')) {
			tellLedger(parse(line));
		} else if (line) {
			head = parse(line);
		}
	}
	data.remove();
	script.remove();
	join(from);
	performance.mark('sessions');
};

document.addEventListener('DOMContentLoaded', () => {
	coming = false;
	match(sessions.length);
	if (list.current < 0) {
		search();
		followAddress();
	}
	setTimeout(prepare, 100, 0);
});
window.addEventListener('hashchange', followAddress);

const dark = window.matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => themeChosen || theme(dark.matches ? 'dark' : 'light'));
theme(dark.matches ? 'dark' : 'light');
$('list').focus();
})();
