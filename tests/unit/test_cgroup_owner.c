// SPDX-License-Identifier: BSD-2-Clause
/* Pods, containers and units by the paths of cgroups, as engines and systemd name them. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/machine/cgroup_owner.h"

#define ID_A "3f5ab1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0"
#define ID_B "b0f1c2d3e4f5061728394a5b6c7d8e9fb0f1c2d3e4f5061728394a5b6c7d8e9f"
#define POD "0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e34"
#define POD_ "0b5f3a2e_9c1d_4e77_8a55_1f0c2b9d6e34"
#define POD2 "c0ffee00-1234-4abc-9def-001122334455"
#define STATIC_POD "6f5a1e0d8b1f4c2a9d3e7b60a1c2d3e4"

struct owner_row {
	const char *path, *pod, *container, *unit;
};

static const struct owner_row rows[] = {
	/* Kubernetes, systemd driver: containerd, CRI-O, Docker; the three classes. */
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD_ ".slice/"
	  "cri-containerd-" ID_A ".scope", POD, ID_A, "cri-containerd-" ID_A ".scope" },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" POD_ ".slice/"
	  "crio-" ID_A ".scope", POD, ID_A, "crio-" ID_A ".scope" },
	{ "/kubepods.slice/kubepods-pod" POD_ ".slice/docker-" ID_A ".scope", POD, ID_A,
	  "docker-" ID_A ".scope" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" STATIC_POD ".slice/"
	  "crio-" ID_A ".scope/container", STATIC_POD, ID_A, "crio-" ID_A ".scope" },
	/* A process of the pod that is in no container, and what watches one. */
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD_ ".slice", POD, "", "" },
	{ "/kubepods.slice/kubepods-pod" POD_ ".slice/crio-conmon-" ID_A ".scope", POD, "",
	  "crio-conmon-" ID_A ".scope" },
	/* cgroupfs driver. */
	{ "/kubepods/burstable/pod" POD "/" ID_A, POD, ID_A, "" },
	{ "/kubepods/pod" POD "/" ID_A "/init.scope", POD, ID_A, "" },
	{ "/kubepods/besteffort/pod" POD "/crio-" ID_A, POD, ID_A, "" },
	{ "/kubepods/besteffort/pod" STATIC_POD "/" ID_A, STATIC_POD, ID_A, "" },
	/* containerd that was told of systemd while it is not with it. */
	{ "/system.slice/containerd.service/kubepods-burstable-pod" POD_ ".slice:cri-containerd:" ID_A,
	  POD, ID_A, "containerd.service" },
	/* A node that is a container itself (kind), and docker inside a pod. */
	{ "/system.slice/docker-" ID_B ".scope/kubelet.slice/kubelet-kubepods.slice/"
	  "kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod" POD_ ".slice/"
	  "cri-containerd-" ID_A ".scope", POD, ID_A, "docker-" ID_B ".scope" },
	{ "/docker/" ID_B "/kubelet/kubepods/burstable/pod" POD "/" ID_A, POD, ID_A, "" },
	{ "/docker/" ID_B "/kubelet.slice/kubelet.service", "", ID_B, "" },
	{ "/kubepods/burstable/pod" POD "/" ID_A "/docker/" ID_B, POD, ID_A, "" },
	/* A pod in a pod. */
	{ "/kubepods/pod" POD2 "/" ID_B "/kubepods/pod" POD "/" ID_A, POD, ID_A, "" },
	{ "/kubepods/pod" POD2 "/" ID_B "/kubepods/pod" POD, POD, "", "" },
	/* Docker, containerd and others by themselves. */
	{ "/system.slice/docker-" ID_A ".scope", "", ID_A, "docker-" ID_A ".scope" },
	{ "/docker/" ID_A, "", ID_A, "" },
	{ "/docker/" ID_A "/docker/" ID_B, "", ID_A, "" },
	{ "/default/" ID_A, "", ID_A, "" },
	{ "/system.slice/nerdctl-" ID_A ".scope", "", ID_A, "nerdctl-" ID_A ".scope" },
	{ "/ecs/4c1d7f0e9b2a4c1d7f0e9b2a4c1d7f0e/" ID_A, "", ID_A, "" },
	/* podman: as root and as a user, in a pod, by both drivers; conmon is outside. */
	{ "/machine.slice/libpod-" ID_A ".scope/container", "", ID_A, "libpod-" ID_A ".scope" },
	{ "/machine.slice/libpod-conmon-" ID_A ".scope", "", "", "libpod-conmon-" ID_A ".scope" },
	{ "/machine.slice/machine-libpod_pod_" ID_B ".slice/libpod-" ID_A ".scope", ID_B, ID_A,
	  "libpod-" ID_A ".scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID_A ".scope/container",
	  "", ID_A, "libpod-" ID_A ".scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/user-libpod_pod_" ID_B
	  ".slice/libpod-" ID_A ".scope", ID_B, ID_A, "libpod-" ID_A ".scope" },
	{ "/libpod_parent/libpod-" ID_A, "", ID_A, "" },
	{ "/libpod_parent/" ID_B "/libpod-" ID_A, ID_B, ID_A, "" },
	{ "/system.slice/web.service/libpod-payload-" ID_A, "", ID_A, "web.service" },
	/* systemd alone. */
	{ "/system.slice/ssh.service", "", "", "ssh.service" },
	{ "/system.slice/system-getty.slice/getty@tty1.service", "", "", "getty@tty1.service" },
	{ "/init.scope", "", "", "init.scope" },
	{ "/user.slice/user-1000.slice/session-3.scope", "", "", "session-3.scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/firefox.service", "", "",
	  "firefox.service" },
	{ "/system.slice/web.service/workers", "", "", "web.service" },
	{ "/system.slice/dbus.socket", "", "", "dbus.socket" },
	{ "/system.slice/srv-my\\x2ddata.mount", "", "", "srv-my\\x2ddata.mount" },
	{ "/system.slice/_cpu.service", "", "", "cpu.service" },
	{ "/machine.slice/libpod-" ID_A ".scope/system.slice/nginx.service", "", ID_A,
	  "libpod-" ID_A ".scope" },
	{ "/lxc.payload.web/system.slice/nginx.service", "", "", "" },
	{ "/machine.slice/systemd-nspawn@web.service/payload/system.slice/nginx.service", "", "",
	  "systemd-nspawn@web.service" },
	{ "/machine.slice/machine-web.scope/payload/system.slice/nginx.service", "", "",
	  "machine-web.scope" },
	{ "/system.slice/web.service/payload/nginx.service", "", "", "nginx.service" },
	/* podman's timer for health checks, and what starts a container. */
	{ "/system.slice/" ID_A ".service", "", "", ID_A ".service" },
	{ "/system.slice/container-" ID_A ".service", "", "", "container-" ID_A ".service" },
	/* None. */
	{ "/", "", "", "" },
	{ "", "", "", "" },
	{ NULL, "", "", "" },
	{ "/system.slice", "", "", "" },
	{ "/user.slice/user-1000.slice", "", "", "" },
	{ "/mygroup/one", "", "", "" },
	{ "/lxc.payload.web/init", "", "", "" },
	/* Nearly. */
	{ "/docker/3f5ab1c9d0e4", "", "", "" },
	{ "/docker/" ID_A "0", "", "", "" },
	{ "/docker/3F5AB1C9D0E47A2266F0A3B1C5D7E9F00112233445566778899AABBCCDDEEFF0", "", "", "" },
	{ "/kubepods/pod" POD "0", "", "", "" },
	{ "/kubepods/tripod" POD, "", "", "" },
	{ "/kubepods/pod0b5f3a2e.9c1d.4e77.8a55.1f0c2b9d6e34", "", "", "" },
	{ "/pod", "", "", "" },
	{ "/pod-", "", "", "" },
	{ "/docker-.scope", "", "", "docker-.scope" },
	{ "/.scope", "", "", "" },
	{ "/.service/_.service", "", "", "" },
	/* Hostile. */
	{ "/system.slice/a\nb.service", "", "", "" },
	{ "/system.slice/\033[2J.service", "", "", "" },
	{ "/system.slice/\xc3\xa9.service", "", "", "" },
	{ "////system.slice////ssh.service////", "", "", "ssh.service" },
	{ "system.slice/ssh.service", "", "", "ssh.service" },
	{ "/:::::/:" ID_A ":/::", "", ID_A, "" },
	{ "/libpod_pod_" ID_A ".slice", ID_A, "", "" },
};

TEST(owners_by_path)
{
	struct cgroup_owner owner;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cgroup_owner_of(rows[i].path, &owner);
		EXPECT_STREQ(rows[i].pod, owner.pod) TH_LOG("%s", rows[i].path);
		EXPECT_STREQ(rows[i].container, owner.container) TH_LOG("%s", rows[i].path);
		EXPECT_STREQ(rows[i].unit, owner.unit) TH_LOG("%s", rows[i].path);
	}
}

/* Whatever there is of a path says no more than the path, and is read no further than it goes. */
TEST(owners_of_paths_that_are_cut)
{
	struct cgroup_owner owner;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t len = 0; rows[i].path && len < strlen(rows[i].path); len++) {
			char *path = strndup(rows[i].path, len);

			cgroup_owner_of(path, &owner);
			EXPECT_TRUE(!*owner.container || strlen(owner.container) == 64);
			free(path);
		}
	}
}

TEST(a_name_as_long_as_a_directory_can_have_is_no_unit_beyond_255)
{
	struct cgroup_owner owner;
	char path[400];

	memset(path, 'u', sizeof(path));
	path[0] = '/';
	strcpy(path + 1 + 255 - strlen(".service"), ".service");
	cgroup_owner_of(path, &owner);
	EXPECT_STREQ(path + 1, owner.unit);
	memset(path + 1, 'u', 300);
	strcpy(path + 300, ".service");
	cgroup_owner_of(path, &owner);
	EXPECT_STREQ("", owner.unit);
}

TEST(where_an_owner_begins)
{
	static const char pod[] = "/kubepods.slice/kubepods-pod" POD_ ".slice";
	static const char container[] = "/kubepods.slice/kubepods-pod" POD_ ".slice/crio-" ID_A ".scope";
	static const char inside[] = "/kubepods.slice/kubepods-pod" POD_ ".slice/crio-" ID_A ".scope/x";

	EXPECT_TRUE(cgroup_begins_pod(pod, POD));
	EXPECT_FALSE(cgroup_begins_pod(pod, POD2));
	EXPECT_FALSE(cgroup_begins_pod(pod, ""));
	EXPECT_FALSE(cgroup_begins_pod(container, POD));
	EXPECT_FALSE(cgroup_begins_pod("/", ""));
	EXPECT_TRUE(cgroup_begins_container(container, ID_A));
	EXPECT_TRUE(cgroup_begins_container(container, "3f5ab1c9d0e4"));
	EXPECT_FALSE(cgroup_begins_container(container, "b"));
	EXPECT_FALSE(cgroup_begins_container(container, ""));
	EXPECT_FALSE(cgroup_begins_container(container, ID_A "0"));
	EXPECT_FALSE(cgroup_begins_container(inside, ID_A));
	EXPECT_TRUE(cgroup_begins_unit("/system.slice/ssh.service", "ssh.service"));
	EXPECT_TRUE(cgroup_begins_unit("/system.slice", "system.slice"));
	EXPECT_TRUE(cgroup_begins_unit("/system.slice/_cpu.service", "cpu.service"));
	EXPECT_FALSE(cgroup_begins_unit("/system.slice/ssh.service/x", "ssh.service"));
	EXPECT_FALSE(cgroup_begins_unit("/system.slice/ssh.service", "ssh.servic"));
	EXPECT_FALSE(cgroup_begins_unit("/docker/" ID_A "/system.slice/nginx.service", "nginx.service"));
	EXPECT_FALSE(cgroup_begins_unit("/machine.slice/libpod-" ID_A ".scope/system.slice/nginx.service",
					"nginx.service"));
	EXPECT_FALSE(cgroup_begins_unit("/lxc.payload.web/system.slice/nginx.service", "nginx.service"));
	EXPECT_FALSE(cgroup_begins_unit("/machine.slice/systemd-nspawn@web.service/payload/system.slice/"
					"nginx.service", "nginx.service"));
	EXPECT_STREQ("", cgroup_unit_name("/docker/" ID_A "/system.slice/nginx.service"));
	EXPECT_TRUE(cgroup_begins_unit("/machine.slice/systemd-nspawn@web.service",
				       "systemd-nspawn@web.service"));
	EXPECT_TRUE(cgroup_begins_unit("/system.slice/docker-" ID_A ".scope", "docker-" ID_A ".scope"));
	EXPECT_FALSE(cgroup_begins_unit("/", ""));
	EXPECT_FALSE(cgroup_begins_unit("", "x"));
}

TEST_HARNESS_MAIN
