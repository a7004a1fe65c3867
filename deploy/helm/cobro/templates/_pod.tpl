{{/* What every pod has. Takes root, values, and where there are any serviceAccount, tls (the service whose certificate the pod has) and tlsFiles (what it gets of it). */}}
{{- define "cobro.pod" -}}
{{- $v := .root.Values -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .serviceAccount | default $v.pod.serviceAccountName }}
serviceAccountName: {{ . | quote }}
{{- end }}
{{- with $v.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with $v.pod.user }}
  runAsUser: {{ . }}
  runAsGroup: {{ . }}
  {{- end }}
  seccompProfile: {type: RuntimeDefault}
{{- with .values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
volumes:
  - {name: tmp, emptyDir: {sizeLimit: 16Mi}}
  {{- with include "cobro.authorities" .root }}
  - name: authorities
    projected:
      sources: {{ . | nindent 8 }}
  {{- end }}
  {{- with include "cobro.clientCertificates" .root }}
  - name: client-certificates
    projected:
      sources: {{ . | nindent 8 }}
  {{- end }}
  {{- if and .tls $v.tls.existingSecret }}
  - name: tls
    secret:
      secretName: {{ replace "{service}" .tls $v.tls.existingSecret | quote }}
      {{- with .tlsFiles }}
      items:
        {{- range . }}
        - {key: {{ . }}, path: {{ . }}}
        {{- end }}
      {{- end }}
  {{- end }}
  {{- with $v.pod.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* What every container has. Takes root, image, and tls as above. */}}
{{- define "cobro.container" -}}
image: {{ include "cobro.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
  {{- if include "cobro.authorities" .root }}
  - {name: authorities, mountPath: /authorities, readOnly: true}
  {{- end }}
  {{- if include "cobro.clientCertificates" .root }}
  - {name: client-certificates, mountPath: /client-certificates, readOnly: true}
  {{- end }}
  {{- if and .tls .root.Values.tls.existingSecret }}
  - {name: tls, mountPath: /tls, readOnly: true}
  {{- end }}
  {{- with .root.Values.pod.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Changes when the Secrets do, or the certificates of authorities. */}}
{{- define "cobro.secretChecksum" -}}
{{- $v := .Values -}}
{{- $all := list $v.secretsRevision -}}
{{- range $name := list $v.postgres.existingSecret $v.rabbitmq.existingSecret $v.redis.existingSecret $v.keys.existingSecret (ternary $v.stripe.existingSecret "" $v.stripe.enabled) $v.bank.token.existingSecret $v.bank.otherTokens.existingSecret $v.bank.proxy.existingSecret | compact }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace $name | default dict -}}
{{- $all = append $all ($secret.data | default dict | toJson) -}}
{{- end -}}
{{- range $server := list "postgres" "rabbitmq" "redis" "bank" }}
{{- $of := (index $v $server).authority -}}
{{- $kind := ternary "Secret" "ConfigMap" (ne $of.existingSecret "") -}}
{{- with $of.existingSecret | default $of.existingConfigMap }}
{{- $found := lookup "v1" $kind $.Release.Namespace . | default dict -}}
{{- $all = append $all ($found.data | default dict | toJson) -}}
{{- end -}}
{{- end -}}
{{- $all | toJson | sha256sum -}}
{{- end }}

{{/* A Job of the operations image. Takes root, component, args, env, deadline and resources, and where there are any container (its name), acquirers (whether their schemas are reached too) and ttl, the seconds that it stays after its end. */}}
{{- define "cobro.adminJob" -}}
{{- $names := dict "root" .root "component" .component -}}
{{- $values := include "cobro.placementOf" $names | fromJson -}}
metadata:
  labels: {{- include "cobro.labels" $names | nindent 4 }}
spec:
  # No retry: what the command found wrong, the same command would find again.
  backoffLimit: 0
  activeDeadlineSeconds: {{ .deadline }}
  {{- with .ttl }}
  ttlSecondsAfterFinished: {{ . }}
  {{- end }}
  template:
    metadata: {{- include "cobro.jobPodMetadata" (dict "root" .root "component" .component "values" $values) | nindent 6 }}
    spec:
      {{- include "cobro.pod" (dict "root" .root "values" $values) | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: {{ .container | default "admin" }}
          {{- include "cobro.container" (dict "root" .root "image" "operations") | nindent 10 }}
          args: {{ toJson .args }}
          env:
            {{- .env | nindent 12 }}
            {{- include "cobro.operationsEnvironment" (dict "root" .root "acquirers" .acquirers) | nindent 12 }}
          resources: {{ toJson .resources }}
{{- end }}
