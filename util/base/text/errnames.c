// SPDX-License-Identifier: BSD-2-Clause
/*
 * Errno names: asm-generic/errno-base.h and errno.h, and the kernel's own from
 * include/linux/errno.h (7.2).
 */
#include "util/base/text/errnames.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "util/base/macros.h"

static const char *const names[] = {
	[1] = "EPERM",
	[2] = "ENOENT",
	[3] = "ESRCH",
	[4] = "EINTR",
	[5] = "EIO",
	[6] = "ENXIO",
	[7] = "E2BIG",
	[8] = "ENOEXEC",
	[9] = "EBADF",
	[10] = "ECHILD",
	[11] = "EAGAIN",
	[12] = "ENOMEM",
	[13] = "EACCES",
	[14] = "EFAULT",
	[15] = "ENOTBLK",
	[16] = "EBUSY",
	[17] = "EEXIST",
	[18] = "EXDEV",
	[19] = "ENODEV",
	[20] = "ENOTDIR",
	[21] = "EISDIR",
	[22] = "EINVAL",
	[23] = "ENFILE",
	[24] = "EMFILE",
	[25] = "ENOTTY",
	[26] = "ETXTBSY",
	[27] = "EFBIG",
	[28] = "ENOSPC",
	[29] = "ESPIPE",
	[30] = "EROFS",
	[31] = "EMLINK",
	[32] = "EPIPE",
	[33] = "EDOM",
	[34] = "ERANGE",
	[35] = "EDEADLK",
	[36] = "ENAMETOOLONG",
	[37] = "ENOLCK",
	[38] = "ENOSYS",
	[39] = "ENOTEMPTY",
	[40] = "ELOOP",
	[42] = "ENOMSG",
	[43] = "EIDRM",
	[44] = "ECHRNG",
	[45] = "EL2NSYNC",
	[46] = "EL3HLT",
	[47] = "EL3RST",
	[48] = "ELNRNG",
	[49] = "EUNATCH",
	[50] = "ENOCSI",
	[51] = "EL2HLT",
	[52] = "EBADE",
	[53] = "EBADR",
	[54] = "EXFULL",
	[55] = "ENOANO",
	[56] = "EBADRQC",
	[57] = "EBADSLT",
	[59] = "EBFONT",
	[60] = "ENOSTR",
	[61] = "ENODATA",
	[62] = "ETIME",
	[63] = "ENOSR",
	[64] = "ENONET",
	[65] = "ENOPKG",
	[66] = "EREMOTE",
	[67] = "ENOLINK",
	[68] = "EADV",
	[69] = "ESRMNT",
	[70] = "ECOMM",
	[71] = "EPROTO",
	[72] = "EMULTIHOP",
	[73] = "EDOTDOT",
	[74] = "EBADMSG",
	[75] = "EOVERFLOW",
	[76] = "ENOTUNIQ",
	[77] = "EBADFD",
	[78] = "EREMCHG",
	[79] = "ELIBACC",
	[80] = "ELIBBAD",
	[81] = "ELIBSCN",
	[82] = "ELIBMAX",
	[83] = "ELIBEXEC",
	[84] = "EILSEQ",
	[85] = "ERESTART",
	[86] = "ESTRPIPE",
	[87] = "EUSERS",
	[88] = "ENOTSOCK",
	[89] = "EDESTADDRREQ",
	[90] = "EMSGSIZE",
	[91] = "EPROTOTYPE",
	[92] = "ENOPROTOOPT",
	[93] = "EPROTONOSUPPORT",
	[94] = "ESOCKTNOSUPPORT",
	[95] = "EOPNOTSUPP",
	[96] = "EPFNOSUPPORT",
	[97] = "EAFNOSUPPORT",
	[98] = "EADDRINUSE",
	[99] = "EADDRNOTAVAIL",
	[100] = "ENETDOWN",
	[101] = "ENETUNREACH",
	[102] = "ENETRESET",
	[103] = "ECONNABORTED",
	[104] = "ECONNRESET",
	[105] = "ENOBUFS",
	[106] = "EISCONN",
	[107] = "ENOTCONN",
	[108] = "ESHUTDOWN",
	[109] = "ETOOMANYREFS",
	[110] = "ETIMEDOUT",
	[111] = "ECONNREFUSED",
	[112] = "EHOSTDOWN",
	[113] = "EHOSTUNREACH",
	[114] = "EALREADY",
	[115] = "EINPROGRESS",
	[116] = "ESTALE",
	[117] = "EUCLEAN",
	[118] = "ENOTNAM",
	[119] = "ENAVAIL",
	[120] = "EISNAM",
	[121] = "EREMOTEIO",
	[122] = "EDQUOT",
	[123] = "ENOMEDIUM",
	[124] = "EMEDIUMTYPE",
	[125] = "ECANCELED",
	[126] = "ENOKEY",
	[127] = "EKEYEXPIRED",
	[128] = "EKEYREVOKED",
	[129] = "EKEYREJECTED",
	[130] = "EOWNERDEAD",
	[131] = "ENOTRECOVERABLE",
	[132] = "ERFKILL",
	[133] = "EHWPOISON",
	[LAST_ERRNO] = "EFTYPE",
	[512] = "ERESTARTSYS",
	[513] = "ERESTARTNOINTR",
	[514] = "ERESTARTNOHAND",
	[515] = "ENOIOCTLCMD",
	[516] = "ERESTART_RESTARTBLOCK",
	[517] = "EPROBE_DEFER",
	[518] = "EOPENSTALE",
	[519] = "ENOPARAM",
	[521] = "EBADHANDLE",
	[522] = "ENOTSYNC",
	[523] = "EBADCOOKIE",
	[524] = "ENOTSUPP",
	[525] = "ETOOSMALL",
	[526] = "ESERVERFAULT",
	[527] = "EBADTYPE",
	[528] = "EJUKEBOX",
	[529] = "EIOCBQUEUED",
	[530] = "ERECALLCONFLICT",
	[531] = "ENOGRACE",
};

#define NR_NAMES (int)(ARRAY_SIZE(names))

const char *errno_name(int err)
{
	return err > 0 && err < NR_NAMES ? names[err] : NULL;
}

const char *errno_word(int err, char number[ERRNO_WORD_SIZE])
{
	const char *name = errno_name(err);

	if (!name)
		snprintf(number, ERRNO_WORD_SIZE, "%d", err);
	return name ?: number;
}

bool errno_is_expected(int err)
{
	switch (err) {
	case EAGAIN:
	case EINTR:
	case EINPROGRESS:
	case ENOSYS:
	case ECHILD:
	/* ERESTARTSYS to ERESTART_RESTARTBLOCK: a signal came. */
	case 512 ... 516:
		return true;
	}
	return false;
}

int errno_parse(const char *text)
{
	const char *name = *text == '-' ? text + 1 : text;
	char *end;
	long n;

	if (isdigit((unsigned char)*name)) {
		n = strtol(name, &end, 10);
		return !*end && n > 0 && n <= MAX_ERRNO ? n : -EINVAL;
	}
	for (int i = 1; i < NR_NAMES; i++) {
		if (names[i] && !strcasecmp(names[i], name))
			return i;
	}
	/* The two spellings that asm-generic defines as aliases. */
	if (!strcasecmp(name, "EWOULDBLOCK"))
		return EAGAIN;
	if (!strcasecmp(name, "EDEADLOCK"))
		return EDEADLK;
	return -EINVAL;
}

const char *errno_text(int err)
{
	const char *name = errno_name(err);

	if (err == ENOTSUPP)
		return "the kernel does not support it (ENOTSUPP)";
	/* C libraries do not know it yet. */
	if (err == LAST_ERRNO)
		return "the file is of another type (EFTYPE)";
	return name && err >= 512 && err <= 531 ? name : strerror(err);
}
