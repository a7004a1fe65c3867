{{/* What every pod has. Takes root and values (which may lack everything). */}}
{{- define "cobro.pod" -}}
{{- $v := .root.Values -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $v.pod.serviceAccountName }}
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
  runAsUser: {{ $v.pod.user }}
  runAsGroup: {{ $v.pod.user }}
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
{{- end }}

{{/* What every container has. Takes root and image. */}}
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
{{- end }}

{{/* Changes when the Secrets do. */}}
{{- define "cobro.secretChecksum" -}}
{{- $v := .Values -}}
{{- $all := list $v.secretsRevision -}}
{{- range $name := list $v.postgres.existingSecret $v.rabbitmq.existingSecret $v.redis.existingSecret $v.keys.existingSecret }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace $name | default dict -}}
{{- $all = append $all ($secret.data | default dict | toJson) -}}
{{- end -}}
{{- $all | toJson | sha256sum -}}
{{- end }}

{{/* A Job of the operations image that runs one of the operator's commands. Takes root, component, args, env, deadline and resources. */}}
{{- define "cobro.adminJob" -}}
{{- $names := dict "root" .root "component" .component -}}
metadata:
  labels: {{- include "cobro.labels" $names | nindent 4 }}
spec:
  # What the command found wrong is an end and no accident: the same command again would find it again.
  backoffLimit: 0
  activeDeadlineSeconds: {{ .deadline }}
  template:
    metadata:
      labels: {{- include "cobro.labels" $names | nindent 8 }}
    spec:
      {{- include "cobro.pod" (dict "root" .root "values" dict) | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: admin
          {{- include "cobro.container" (dict "root" .root "image" "operations") | nindent 10 }}
          args: {{ prepend .args "admin" | toJson }}
          env:
            {{- .env | nindent 12 }}
            {{- include "cobro.operationsEnvironment" (dict "root" .root) | nindent 12 }}
          resources: {{ toJson .resources }}
{{- end }}
